/* The page learn/: trainings of a visitor's choice, one or two side by side. */
import { Curve } from "./front_curve.js";
import { loadPool, usualWorkers } from "./learn_pool.js";
import { Racer } from "./learn_racer.js";
import { readLink, readTraining, writeLink } from "./learn_settings.js";
import { watchFiles } from "./play_input.js";
import { hasSimd } from "./simd.js";
import { setupTheme } from "./theme.js";

const $ = (id) => document.getElementById(id);
const mostFile = 64 << 20; /* bytes of a dropped file */

class App {
    constructor() {
        const query = new URLSearchParams(location.search);
        this.still = query.has("still"); /* draws on demand, for tests */
        this.plain = query.has("plain") || !hasSimd();
        this.workers = Math.max(1, Math.min(4, +query.get("workers") || usualWorkers()));
        this.racers = [];
        this.curve = new Curve($("curve"));
        this.theme = setupTheme($("theme"), (name) => this.racers.forEach((racer) => racer.view.stage.setTheme(name)));
        this.state = "waiting";
    }

    async open() {
        this.pool = await loadPool(new URL("../", location.href), { plain: this.plain });
        const { racers, iterations, hash } = readLink(location.hash);
        this.recipe = iterations ? { iterations, hash } : null;
        if (this.recipe) $("sentence").textContent = "This link is a recipe. Press Train, and your browser trains the same policy again, bit by bit.";
        racers.forEach((settings) => this.#add(settings));
        this.#wire();
        $("notice").hidden = true;
        requestAnimationFrame((now) => this.#frame(now, now));
    }

    #add(settings) {
        this.racers.push(new Racer(this, settings, this.racers.length));
        $("race").setAttribute("aria-pressed", String(this.racers.length > 1));
    }

    fail(error) {
        this.state = "failed";
        $("notice").hidden = false;
        $("notice").textContent = `This does not work here: ${error.message ?? error}`;
    }

    message(text) {
        $("message").hidden = !text;
        $("message").textContent = text;
    }

    #frame(now, last) {
        if (this.still) return;
        this.draw((now - last) / 1000);
        requestAnimationFrame((next) => this.#frame(next, now));
    }

    draw(seconds = 0) {
        for (const racer of this.racers) if (racer.view.last) racer.view.draw(seconds), (this.shown ??= performance.now());
    }

    /* A setting was changed: the link no longer says what is trained. */
    changed() {
        this.recipe = null;
        this.message("");
    }

    told(racer) {
        if (racer.onFeet) this.curve.add(racer.seconds, racer.onFeet, racer.number);
    }

    /* ----------------------------------------------------------------------------------------------------- training */

    async train() {
        if (this.state === "learning") return this.racers.forEach((racer) => racer.stop());
        this.state = "learning";
        this.curve.clear();
        this.message("");
        $("go").textContent = "Stop";
        $("race").disabled = true;
        /* Racers share the cores; their number does not change what they learn. */
        const each = Math.max(1, Math.floor(this.workers / this.racers.length));
        try {
            await Promise.all(this.racers.map((racer) => racer.train(each, this.recipe?.iterations)));
        } catch (error) {
            this.message(`The training ended: ${error.message}`);
            this.racers.forEach((racer) => racer.stop());
        }
        this.state = "waiting";
        $("go").textContent = "Train";
        $("race").disabled = false;
        const [first] = this.racers;
        if (this.recipe?.hash && first.iterations === this.recipe.iterations) this.message(first.hash === this.recipe.hash ? "This is the same policy as in the link, bit by bit." : "This policy has other bits than the link says.");
        else if (this.racers.length > 1) this.message(`After the race: ${this.racers.map((racer) => `${(racer.onFeet ?? 0).toFixed(1)} s`).join(" against ")} on their feet.`);
    }

    race() {
        if (this.racers.length > 1) this.racers.pop().remove();
        else this.#add({ ...this.racers[0].settings, push: this.racers[0].settings.push ? 0 : 200 });
        $("race").setAttribute("aria-pressed", String(this.racers.length > 1));
        this.changed();
    }

    async share() {
        const [first] = this.racers;
        const address = new URL(writeLink(this.racers.map((racer) => racer.settings), this.racers.length === 1 && first.hash ? first : null) || "#", location.href).href;
        history.replaceState(null, "", address);
        const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false), own = this.racers.some((racer) => !racer.shareable);
        this.message(`${copied ? "Link copied." : "The address above is the link."}${first.hash && this.racers.length === 1 ? " It trains the same policy again." : ""}${own ? " Files of your own are not in it." : ""}`);
    }

    /* Dropped files: a saved training, or what the first racer imitates. */
    async take(list) {
        try {
            const files = {};
            for (const file of list) {
                if (file.size > mostFile) throw new Error(`${file.name} is larger than 64 MB`);
                files[file.name.replace(/[^\w. +-]/g, "_")] = new Uint8Array(await file.arrayBuffer());
            }
            const [first] = this.racers, training = Object.keys(files).find((name) => name.endsWith(".training"));
            if (training) {
                const { settings, checkpoint } = readTraining(files[training]);
                return first.resume(settings, checkpoint);
            }
            const kinds = await new Promise((resolve) => ((this.kinds = resolve), first.order("kinds", files)));
            if (!kinds.some((kind) => kind.model || kind.clip)) throw new Error(kinds[0]?.error || "these files cannot be read here");
            first.take(files, kinds);
            this.changed();
        } catch (error) {
            this.message(error.message);
        }
    }

    #wire() {
        const acts = { go: () => this.train(), race: () => this.race(), share: () => this.share() };
        for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", act);
        watchFiles($("drop"), $("open"), $("files"), (files) => this.take([...files]));
        document.addEventListener("visibilitychange", () => this.state === "learning" && !this.still && this.racers.forEach((racer) => racer.order("run", !document.hidden)));
        addEventListener("pagehide", () => this.pool?.stopAll());
        addEventListener("pageshow", (event) => event.persisted && location.reload()); /* its workers were ended */
    }
}

const app = (globalThis.sinew = new App()); /* for the console and the tests */
app.open().catch((error) => app.fail(error));
