/* The page drive/: a visitor steers a character. It is simulated in a worker (drive_show.js); this file draws and asks. */
import { aimBall } from "./aim.js";
import { DriveView } from "./drive_view.js";
import { Sticks } from "./drive_input.js";
import { fetchPolicy } from "./fetch_policy.js";
import { loadPool } from "./learn_pool.js";
import { hasSimd } from "./simd.js";
import { setupTheme } from "./theme.js";

const $ = (id) => document.getElementById(id);
const told = { goes: "", lies: "It fell. It gets up by itself.", gets_up: "It gets up.", limp: "Limp. Press F, or the button, to let it get up." };
const choices = { humans: "3", others: "stroll", crates: "6" };

class App {
    constructor() {
        const query = new URLSearchParams(location.search);
        this.still = query.has("still"); /* draws on demand, for tests */
        this.plain = query.has("plain") || !hasSimd();
        this.led = 0;
        this.running = false;
        this.theme = setupTheme($("theme"), (name) => this.view?.stage.setTheme(name));
        this.#readLink();
        this.#wire();
    }

    #readLink() {
        const params = new URLSearchParams(location.hash.slice(1, 200));
        for (const name of Object.keys(choices)) {
            const value = params.get(name);
            if ([...$(name).options].some((option) => option.value === value)) $(name).value = value;
        }
    }

    async open() {
        const base = new URL("../", location.href), load = (name) => fetchPolicy(new URL(`policies/${name}.sinew`, base));
        const ready = loadPool(base, { plain: this.plain }), policies = Promise.all([load("humanoid-stick"), load("humanoid-get-up")]);
        this.view = new DriveView($("stage"), this.theme.name());
        this.view.stage.onLost = (lost) => this.#notice(lost ? "The graphics card was lost. The picture comes back when it does." : "");
        [this.pool, [this.go, this.getUp]] = await Promise.all([ready, policies]);
        this.worker = this.pool.start({ role: "drive", make: this.#options });
        this.worker.onmessage = ({ data }) => {
            if (data.error) return this.fail(data);
            if (data.body) this.view.setBodies(data);
            else this.#look(data);
        };
        this.worker.onerror = (event) => this.fail(event);
        this.order("others", $("others").value);
        requestAnimationFrame((now) => this.#frame(now, now));
    }

    get #options() {
        return { go: this.go, getUp: this.getUp, humans: +$("humans").value, crates: +$("crates").value };
    }

    order(name, value) {
        this.worker.postMessage([name, value]);
    }

    #notice(text) {
        $("notice").hidden = !text;
        $("notice").textContent = text;
    }

    fail(error) {
        this.state = "failed";
        this.#notice(`This does not work here: ${error.message ?? error.error ?? error}`);
    }

    #look(data) {
        this.view.show(data, Math.min(this.led, data.humans - 1));
        this.seen = { steps: data.steps, modes: data.modes, balls: data.balls };
        if (!this.shown) this.shown = performance.now(), this.#notice("");
    }

    #frame(now, last) {
        if (this.still) return this.draw(0);
        this.draw(Math.min(0.1, (now - last) / 1000));
        requestAnimationFrame((next) => this.#frame(next, now));
    }

    draw(seconds = 0) {
        if (!this.view?.last) return;
        this.steer();
        if (this.still) this.view.stage.jump();
        this.view.draw(seconds, this.running);
        const mode = this.seen.modes[this.led], speed = this.view.speed(seconds);
        const text = told[mode] || (this.running ? `${speed.toFixed(1)} m/s` : "");
        if (performance.now() - (this.toldAt ?? 0) > 200 && text !== $("state").textContent) (this.toldAt = performance.now()), ($("state").textContent = text);
        const limp = mode === "limp";
        if (limp !== this.limpShown) (this.limpShown = limp), ($("drop").textContent = limp ? "Get up" : "Let it fall");
    }

    /* Sends the stick when it has moved. */
    steer() {
        const stick = this.sticks.read(), key = stick.map((v) => v.toFixed(2)).join();
        if (key === this.sent || this.limp) return;
        this.sent = key;
        this.order("stick", stick);
    }

    /* ------------------------------------------------------------------------------------------------- the visitor */

    run(on = true) {
        if (on === this.running || !this.worker) return;
        this.running = on;
        $("hello").hidden ||= on;
        $("pause").setAttribute("aria-pressed", String(!on));
        if (!this.still) this.order("run", on);
    }

    throwBall(x, y) {
        const box = $("stage").getBoundingClientRect();
        const { from, velocity } = aimBall(this.view.stage, x ?? box.left + box.width * (0.5 + 0.06 * (Math.random() - 0.5)), y ?? box.top + 0.45 * box.height, 10);
        this.run();
        this.order("ball", [from, velocity]);
    }

    /* Goes limp; or takes the stick again, and gets up. */
    drop() {
        this.run();
        this.limp = !this.limp;
        this.sent = null;
        if (this.limp) this.order("letGo");
        else this.steer();
    }

    next() {
        const count = this.seen?.modes.length ?? 1;
        this.order("stick", [0, 0, 0]);
        this.led = (this.led + 1) % count;
        this.limp = false;
        this.sent = null;
        this.order("lead", this.led);
        this.view.lead(this.led);
    }

    again() {
        this.led = 0;
        this.limp = false;
        this.sent = null;
        this.order("make", this.#options);
        this.order("others", $("others").value);
    }

    async share() {
        const out = new URLSearchParams(Object.keys(choices).filter((name) => $(name).value !== choices[name]).map((name) => [name, $(name).value])).toString();
        history.replaceState(null, "", out ? `#${out}` : location.pathname + location.search);
        const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
        $("toast").textContent = copied ? "Link copied." : "The address above is the link.";
        $("toast").hidden = false;
        setTimeout(() => ($("toast").hidden = true), 3000);
    }

    #wire() {
        const acts = { go: () => (this.run(), $("stage").focus()), ball: () => this.throwBall(), drop: () => this.drop(), next: () => this.next(), pause: () => this.run(!this.running), again: () => this.again(), share: () => this.share() };
        for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", () => this.worker && act());
        const guard = (act) => () => this.worker && act();
        this.sticks = new Sticks($("pad"), $("knob"), { " ": guard(() => this.throwBall()), f: guard(acts.drop), c: guard(acts.next), p: guard(acts.pause) }, () => this.run());
        for (const id of ["humans", "crates"]) $(id).addEventListener("change", () => this.worker && this.again());
        $("others").addEventListener("change", () => this.worker && this.order("others", $("others").value));
        $("behind").addEventListener("change", () => (this.view.behind = $("behind").checked));
        if (matchMedia("(prefers-reduced-motion: reduce)").matches) $("behind").checked = false;
        let down = null;
        $("stage").addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
        $("stage").addEventListener("pointerup", (event) => {
            if (!down || !this.view?.last || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 6) return; /* that was looking around */
            this.throwBall(event.clientX, event.clientY);
        });
        document.addEventListener("visibilitychange", () => this.running && !this.still && this.order("run", !document.hidden));
        addEventListener("pagehide", () => this.pool?.stopAll());
        addEventListener("pageshow", (event) => event.persisted && location.reload()); /* its worker was ended */
    }
}

const app = (globalThis.sinew = new App()); /* for the console and the tests */
app.open().then(() => (app.view.behind = $("behind").checked)).catch((error) => app.fail(error));
