/* One racer of the page learn/: its settings, its crowd, and its training. Everything is simulated and trained in workers. */
import { FrontView } from "./front_view.js";
import { OnFeet } from "./learn_core.js";
import { bodies, pushes, recipeOf, terrains, writeTraining } from "./learn_settings.js";

const crowd = 12, episode = 20; /* s */
const pushText = (newton) => (newton ? `up to ${newton} N` : "none");

export function download(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export class Racer {
    /* page: { pool, still, theme, fail(error), told(racer) }; told is called after each iteration. */
    constructor(page, settings, number) {
        this.page = page;
        this.number = number;
        this.settings = settings;
        this.files = {};
        this.own = { models: [], motions: [] };
        this.element = document.getElementById("racer").content.firstElementChild.cloneNode(true);
        this.element.setAttribute("aria-label", number ? "Second setting" : "Setting");
        this.canvas = this.element.querySelector("canvas");
        this.canvas.setAttribute("aria-label", "The crowd that learns, in 3D. Drag to look around.");
        document.getElementById("racers").append(this.element);
        this.view = new FrontView(this.canvas, page.theme.name());
        this.view.stage.onLost = (lost) => this.tell(lost ? "The graphics card was lost. The picture comes back when it does." : "");
        this.#wire();
        this.#fill();
        this.#show();
    }

    field(name) {
        return this.element.querySelector(`[name="${name}"]`);
    }

    tell(text) {
        this.element.querySelector(".told").textContent = text;
    }

    say(text) {
        this.element.querySelector(".numbers").textContent = text;
    }

    #wire() {
        for (const name of ["model", "motion", "push", "terrain", "seed"]) this.field(name).addEventListener("change", () => this.#choose(name));
        this.field("save").addEventListener("click", () => this.save());
        this.field("policy").addEventListener("click", () => download(new Blob([this.policy]), `${this.settings.model}-${this.settings.motion}.sinew`));
        this.field("onnx").addEventListener("click", () => this.order("onnx"));
    }

    #fill() {
        const s = this.settings, options = (name, values, text = String) => this.field(name).replaceChildren(...values.map((value) => new Option(text(value), value, false, value === s[name])));
        options("model", [...Object.keys(bodies), ...this.own.models]);
        options("motion", [...(bodies[s.model] ?? []), ...this.own.motions]);
        options("push", pushes, pushText);
        options("terrain", terrains);
        this.field("seed").value = s.seed;
    }

    #choose(name) {
        const s = this.settings, value = this.field(name).value;
        s[name] = name === "push" ? +value : name === "seed" ? (/^\d{1,9}$/.test(value) ? +value : 1) : value;
        if (name === "model" && !this.own.motions.includes(s.motion)) s.motion = bodies[value]?.[0] ?? this.own.motions[0] ?? "";
        this.checkpoint = null;
        this.#fill();
        this.#show();
        this.page.changed();
    }

    get recipe() {
        return recipeOf(this.settings, this.files);
    }

    get shareable() {
        return !Object.keys(this.files).length;
    }

    /* The worker that steps what is drawn. */
    #show() {
        if (this.worker) this.page.pool.stop(this.worker);
        this.view.copies = 0;
        this.view.last = null;
        this.policy = null;
        this.#ready(false);
        this.tell("");
        const worker = (this.worker = this.page.pool.start({ role: "show", make: { ...this.recipe, copies: crowd, seed: 1 } }));
        worker.onmessage = ({ data }) => {
            if (data.error) return (this.broken = data.error), this.tell(data.error);
            if (data.body) (this.broken = null), this.view.setBody(data.body);
            if (data.kinds) this.page.kinds?.(data.kinds);
            if ("onnx" in data && data.onnx) download(new Blob([data.onnx]), `${this.settings.model}-${this.settings.motion}.onnx`);
            if (data.onnx) this.onnxBytes = data.onnx.length;
            if (data.pose) this.view.show(data), (this.seen = { steps: data.steps, fallen: data.fallen });
        };
        worker.onerror = (event) => this.page.fail(event);
    }

    order(name, value) {
        this.worker.postMessage([name, value]);
    }

    #ready(on) {
        for (const name of ["policy", "onnx"]) this.field(name).disabled = !on;
        this.field("save").disabled = !on;
    }

    /* Files by name, with what each can be: a model, a motion or both. */
    take(files, kinds) {
        Object.assign(this.files, files);
        const model = kinds.find((kind) => kind.model && !kind.clip)?.name, motion = kinds.find((kind) => kind.clip)?.name;
        if (model) this.own.models.push(model), (this.settings.model = model);
        if (motion) this.own.motions.push(motion), (this.settings.motion = motion);
        if (model && !motion) this.settings.motion = this.own.motions[0] ?? "";
        this.#fill();
        this.#show();
    }

    resume(settings, checkpoint) {
        this.settings = settings;
        this.#fill();
        this.#show();
        this.checkpoint = checkpoint;
        this.say("Read. Press Train to go on.");
    }

    /* ----------------------------------------------------------------------------------------------------- training */

    /* Trains until it is stopped, or for a number of iterations; the time is counted from `began`. */
    async train(workers, iterations) {
        const onFeet = new OnFeet(), began = performance.now(), { settings } = this;
        this.control = {};
        this.hashes = [];
        this.tell("");
        if (!this.page.still) this.order("run", true);
        const limit = iterations ?? 1e6;
        for await (const message of (this.training = this.page.pool.train(this.recipe, { workers, iterations: limit, checkpoint: this.checkpoint, control: this.control }))) {
            if (message.checkpoint) {
                this.checkpoint = message.checkpoint;
                this.saved?.();
                continue;
            }
            const seconds = (performance.now() - began) / 1000, { progress, hash, policy } = message, feet = Math.min(episode, onFeet.add(progress));
            Object.assign(this, { policy, hash, iterations: progress.iterations, onFeet: feet, seconds });
            this.hashes.push(hash);
            this.order("policy", policy);
            this.#ready(true);
            const rate = Math.round(progress.samples / seconds / 100) * 100;
            this.say(`${feet ? `${feet.toFixed(1)} s on their feet · ` : ""}lesson ${progress.iterations} · ${progress.samples.toLocaleString("en")} tries${this.checkpoint ? "" : `, ${rate.toLocaleString("en")} per second`}${settings.terrain === "flat" ? "" : " · the shape of the ground is not drawn"}`);
            this.page.told(this);
        }
        this.control = {};
    }

    stop() {
        this.control?.order?.("stop");
    }

    /* While it trains, the ranks save together; afterwards there is nothing to save but what was saved last. */
    async save() {
        if (this.control?.order) {
            const done = new Promise((resolve) => (this.saved = resolve));
            this.control.order("save");
            await done;
        }
        if (!this.checkpoint) return this.tell("Save while it trains.");
        if (!this.shareable) return this.tell("A training with files of your own cannot be saved here.");
        const blob = writeTraining(this.settings, this.checkpoint);
        this.savedBytes = new Uint8Array(await blob.arrayBuffer()); /* for the tests */
        download(blob, `${this.settings.model}-${this.settings.motion}.training`);
    }

    remove() {
        this.stop();
        this.page.pool.stop(this.worker);
        this.view.stage.dispose();
        this.element.remove();
    }
}
