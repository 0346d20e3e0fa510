/* <sinew-view model="humanoid" motion="run" controls>: a live simulation in a page, drawn by three (a peer dependency).
 *
 *   import "sinew/view";
 *
 * Attributes: model, motion ("" stands still), kp, kd, theme ("light", "dark"), controls (buttons), paused. Events: `error`. */
import loadSinew from "./index.js";
import { Engine } from "../../web/src/play_engine.js";
import { Stage } from "../../web/src/stage.js";

const style = "position:absolute;left:12px;bottom:12px;display:flex;gap:8px";

export class SinewView extends HTMLElement {
    static observedAttributes = ["model", "motion", "kp", "kd", "theme", "paused"];

    connectedCallback() {
        const root = (this.root ??= this.attachShadow({ mode: "open" }));
        const canvas = document.createElement("canvas");
        this.style.display ||= "block";
        this.style.position ||= "relative";
        canvas.style.cssText = "display:block;width:100%;height:100%;touch-action:pan-y";
        canvas.tabIndex = 0;
        canvas.setAttribute("aria-label", this.getAttribute("aria-label") ?? "A simulated character in 3D; drag to look around");
        root.replaceChildren(canvas);
        this.stage = new Stage(canvas, { theme: this.getAttribute("theme") ?? "light" });
        this.stage.controls.enableZoom = false;
        if (this.hasAttribute("controls")) root.append(this.#buttons());
        this.ready = this.#open().catch((error) => this.dispatchEvent(new CustomEvent("error", { detail: error })));
    }

    disconnectedCallback() {
        cancelAnimationFrame(this.waiting);
        this.scene?.free();
        this.subject?.free();
        this.stage.dispose();
        this.engine = this.scene = this.subject = null;
    }

    attributeChangedCallback(name) {
        if (!this.engine) return;
        if (name === "theme") this.stage.setTheme(this.getAttribute("theme") === "dark" ? "dark" : "light");
        else if (name !== "paused") this.restart();
    }

    async #open() {
        this.engine = new Engine((await loadSinew()).module, true);
        if (!this.isConnected) return;
        this.restart();
        let last = performance.now();
        const draw = (now) => {
            this.advance(this.hasAttribute("paused") ? 0 : Math.min(0.1, (now - last) / 1000));
            last = now;
            this.stage.render(1 / 60);
            this.waiting = requestAnimationFrame(draw);
        };
        this.waiting = requestAnimationFrame(draw);
    }

    /* The scene from the start, as the attributes say. */
    restart() {
        const number = (name, otherwise) => (this.hasAttribute(name) ? Number(this.getAttribute(name)) : otherwise);
        const subject = this.engine.subject(this.getAttribute("model") ?? "humanoid", this.getAttribute("motion") ?? "");
        this.scene?.free();
        this.subject?.free();
        this.subject = subject;
        this.scene = subject.scene({ dt: 1 / 240 });
        this.scene.setGains({ kp: number("kp", 3000), kd: number("kd", 300), rootKp: subject.duration ? 20000 : 0, rootKd: subject.duration ? 2000 : 0 });
        this.stage.clear();
        this.id = this.stage.setModel(subject.model);
        this.due = 0;
        this.advance(0);
        this.stage.frame(this.id);
        this.stage.follow(this.id);
    }

    /* So many seconds of simulation. */
    advance(seconds) {
        this.due += seconds;
        const count = Math.floor(this.due * 240);
        this.due -= count / 240;
        if (count) this.scene.step(count);
        this.scene.look();
        this.stage.setPose(this.id, this.scene.pose);
    }

    /* A shove that changes the speed of the whole mass by so many m/s. */
    push(x, y, speed = 2) {
        this.scene?.push(x, y, speed);
    }

    #buttons() {
        const bar = document.createElement("div"), add = (text, act) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = text;
            button.style.minHeight = "44px";
            button.addEventListener("click", act);
            bar.append(button);
        };
        bar.style.cssText = style;
        add("Pause", () => this.toggleAttribute("paused"));
        add("Restart", () => this.restart());
        add("Push", () => this.push(0, 1));
        return bar;
    }
}

if (!customElements.get("sinew-view")) customElements.define("sinew-view", SinewView);
