/* The front door: a crowd learns to walk before the visitor's eyes, then he pushes one of them. Everything is simulated and
 * trained in workers (learn_worker.js); this file draws and answers the buttons. */
import { fetchPolicy } from "./fetch_policy.js";
import { Curve } from "./front_curve.js";
import { FrontView } from "./front_view.js";
import { OnFeet } from "./learn_core.js";
import { loadPool, usualWorkers } from "./learn_pool.js";
import { hasSimd } from "./simd.js";
import { lessons, readRecipe, writeRecipe } from "./recipe.js";
import { setupTheme } from "./theme.js";

const $ = (id) => document.getElementById(id);
const crowdSize = 24, episode = 20; /* s */
const captions = [
    [0, "They know nothing yet. Everyone falls within a second."],
    [0.9, "They learn to stay up a little longer."],
    [1.6, "Some find a first step."],
    [3, "Most take a few steps before they fall."],
    [7, "They walk. Now and then one trips."],
    [14, "They can do it."],
];
const learned = 14, latest = 400; /* mean seconds on their feet that end a training; and after how many iterations it ends anyway */

class Front {
    constructor() {
        const query = new URLSearchParams(location.search);
        this.still = query.has("still"); /* draws on demand, for tests */
        $("hand").classList.toggle("still", this.still);
        this.plain = query.has("plain") || !hasSimd();
        this.workers = Math.max(1, Math.min(4, +query.get("workers") || usualWorkers()));
        this.state = "waiting";
        this.progress = null;
        this.hashes = [];
        this.curve = new Curve($("curve"));
        this.theme = setupTheme($("theme"), (name) => this.view?.stage.setTheme(name));
        this.#wire();
    }

    async open() {
        this.recipe = readRecipe(location.hash);
        this.lesson = this.recipe?.lesson ?? "walk";
        $("what").value = this.lesson;
        if (this.recipe) $("sentence").textContent = "This link is a recipe. Press the button, and your browser trains the same walker again, bit by bit.";
        const ready = loadPool(new URL(".", location.href), { plain: this.plain });
        this.view = new FrontView($("stage"), this.theme.name());
        this.view.stage.onLost = (lost) => this.#notice(lost ? "The graphics card was lost. The picture comes back when it does." : "");
        this.pool = await ready;
        this.#startShow();
        requestAnimationFrame((now) => this.#frame(now, now));
    }

    #notice(text) {
        $("notice").hidden = !text;
        $("notice").textContent = text;
    }

    toast(text) {
        $("toast").textContent = text;
        $("toast").hidden = false;
        clearTimeout(this.toastTimer);
        this.toastTimer = setTimeout(() => ($("toast").hidden = true), 4000);
    }

    fail(error) {
        this.state = "failed";
        this.#notice(`This does not work here: ${error.message ?? error}`);
    }

    /* ------------------------------------------------------------------------------------------------------ the crowd */

    get task() {
        const { model, motion } = lessons[this.lesson];
        return { model, motion };
    }

    /* The worker that steps what is drawn. */
    #startShow() {
        if (this.stage) this.pool.stop(this.stage);
        this.view.copies = 0;
        this.stage = this.pool.start({ role: "show", make: { ...this.task, copies: crowdSize, seed: 1 } });
        this.stage.onmessage = ({ data }) => {
            if (data.error) return this.fail(data);
            if (data.body) this.view.setBody(data.body);
            if (data.refused) this.toast("This policy is not for this character.");
            if (data.pose) this.#look(data);
        };
        this.stage.onerror = (event) => this.fail(event);
    }

    order(name, value) {
        this.stage.postMessage([name, value]);
    }

    #look(data) {
        this.view.show(data);
        this.seen = { steps: data.steps, fallen: data.fallen, copies: data.copies };
        if (data.steps > 0) this.moved ??= performance.now();
        if (data.copies === 1 && data.fallen > (this.falls ?? 0)) $("told").textContent = "It fell. It gets up by itself; push it again.";
        this.falls = data.copies === 1 ? data.fallen : 0;
    }

    #frame(now, last) {
        if (!this.still) {
            this.draw((now - last) / 1000);
            requestAnimationFrame((next) => this.#frame(next, now));
        } else this.draw(0);
    }

    draw(seconds = 0) {
        if (!this.view?.last) return;
        this.view.draw(seconds);
        this.shown ??= performance.now();
        $("poster").hidden = true;
    }

    /* ----------------------------------------------------------------------------------------------------- learning */

    #panel(name) {
        for (const id of ["invite", "learning", "walker"]) $(id).hidden = id !== name;
    }

    async learn() {
        if (!this.pool || this.state === "learning") return;
        this.state = "learning";
        this.pressed = performance.now();
        this.moved = undefined;
        this.curve.clear();
        this.hashes = [];
        this.onFeet = new OnFeet();
        this.#panel("learning");
        $("caption").textContent = captions[0][1];
        $("numbers").textContent = "The first lesson begins.";
        this.order("run", true);
        const seed = this.recipe?.seed ?? 1, iterations = this.recipe?.iterations ?? latest;
        const began = performance.now();
        this.training = this.pool.train({ ...this.task, seed }, { workers: this.workers, iterations });
        try {
            for await (const message of this.training) {
                if (this.state !== "learning") break;
                this.#learnt(message, seed, (performance.now() - began) / 1000);
                if (!this.recipe && this.progress.onFeet > learned) break;
            }
            if (this.state === "learning") this.finish();
        } catch (error) {
            this.fail(error);
        }
    }

    #learnt({ progress, hash, policy, memory }, seed, seconds) {
        const onFeet = Math.min(episode, this.onFeet.add(progress));
        this.progress = { ...progress, onFeet, seconds, hash, memory, seed };
        this.hashes.push(hash);
        this.policy = policy;
        this.order("policy", policy);
        if (onFeet) this.curve.add(seconds, onFeet);
        $("caption").textContent = captions.findLast(([least]) => onFeet >= least)[1];
        const rate = Math.round(progress.samples / seconds / 100) * 100, workers = this.workers > 1 ? `${this.workers} workers` : "one worker";
        $("numbers").textContent = `${onFeet ? `${onFeet.toFixed(1)} s on their feet · ` : ""}lesson ${progress.iterations} · ${progress.samples.toLocaleString("en")} tries, ${rate.toLocaleString("en")} per second in ${workers}`;
    }

    /* From the crowd to one that can be pushed. */
    finish() {
        if (!this.policy) return;
        const { recipe, progress } = this;
        this.state = "walker";
        this.training?.return();
        const words = !progress ? "Trained before, and shipped with the page. Push it."
            : recipe?.hash ? (recipe.hash === progress.hash ? "The same walker as in the link, bit by bit. Push it." : "Trained again, but with other bits than the link says. Push it.")
            : `Learned in ${Math.round(progress.seconds)} s, in your browser. Push it.`;
        $("told").textContent = words;
        this.falls = 0;
        this.#panel("walker");
        $("hand").hidden = false;
        $("share").hidden = !progress;
        this.order("make", { ...this.task, copies: 1, seed: 3, policy: this.policy });
        this.order("run", true);
    }

    /* A policy that was trained before. */
    async skip() {
        if (!this.pool) return;
        this.policy = await fetchPolicy(new URL(`policies/${lessons[this.lesson].policy}`, location.href));
        this.progress = null;
        this.finish();
    }

    again() {
        this.state = "waiting";
        this.policy = this.progress = null;
        $("hand").hidden = true;
        this.#panel("invite");
        this.#startShow();
    }

    /* --------------------------------------------------------------------------------------------------- the visitor */

    push(body, way, speed) {
        if (this.state !== "walker") return;
        $("hand").hidden = true;
        this.order("push", [body, way, speed]);
    }

    throwBall() {
        if (this.state !== "walker" || !this.view.drawn) return;
        const { from, velocity } = this.view.throwing();
        this.order("ball", [from, velocity]);
    }

    async share() {
        const { progress } = this, address = new URL(writeRecipe({ lesson: this.lesson, seed: progress.seed, iterations: progress.iterations, hash: progress.hash }), location.href).href;
        history.replaceState(null, "", address);
        const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
        this.toast(copied ? "Link copied. It trains the same walker again." : "The address above is the link: it trains the same walker again.");
    }

    save() {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([this.policy], { type: "application/octet-stream" }));
        link.download = `${this.task.model}-${this.task.motion}.sinew`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    }

    #wire() {
        const acts = {
            go: () => this.learn(), skip: () => this.skip().catch((error) => this.fail(error)), enough: () => this.finish(), again: () => this.again(),
            share: () => this.share(), save: () => this.save(), ball: () => this.throwBall(), push: () => this.push(0, this.view.heading(), 0.6),
        };
        for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", act);
        $("what").addEventListener("change", () => {
            this.lesson = $("what").value;
            this.recipe = null;
            if (this.pool) this.#startShow();
        });
        let down = null;
        $("stage").addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
        $("stage").addEventListener("pointerup", (event) => {
            if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 6) return; /* that was looking around */
            const hit = this.view?.pick(event.clientX, event.clientY);
            if (hit) this.push(hit.body, this.view.heading(), 0.6);
        });
        const turns = { ArrowUp: 0, ArrowLeft: 1, ArrowDown: 2, ArrowRight: 3 };
        $("stage").addEventListener("keydown", (event) => {
            if (!(event.key in turns) || this.state !== "walker") return;
            event.preventDefault();
            this.push(0, this.view.heading(turns[event.key]), 0.6);
        });
        document.addEventListener("visibilitychange", () => this.stage && this.state !== "waiting" && this.order("run", !document.hidden));
        addEventListener("pagehide", () => this.pool?.stopAll());
        addEventListener("pageshow", (event) => event.persisted && location.reload()); /* its workers were ended */
    }
}

const front = (globalThis.sinew = new Front()); /* for the console and the tests */
front.open().catch((error) => front.fail(error));
