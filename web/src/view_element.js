/* The element <sinew-view>: a live simulation in a page, drawn by three.
 *
 *   <sinew-view model="humanoid" motion="run" controls></sinew-view>
 *   <sinew-view scene="hit" controls></sinew-view>
 *   <sinew-view model="humanoid" motion="walk" policy="policies/humanoid-walk.sinew" controls></sinew-view>
 *
 * Attributes: scene (one of the playground's), model, motion ("" stands still), policy (address of a policy that was trained for
 * this model and motion: then nothing holds the root), kp, kd, theme ("light", "dark"), controls (buttons), paused. It is paused
 * out of sight, in hidden tabs, and from the start where the visitor wants less motion. Events: `error`. Property: ready. */
import { fetchPolicy } from "./fetch_policy.js";
import { Walkers } from "./learn_core.js";
import { sceneries } from "./play_settings.js";
import { Stage } from "./stage.js";

const style = "position:absolute;left:12px;bottom:12px;display:flex;gap:8px";
const buttonStyle = "min-height:44px;min-width:44px;padding:6px 14px;border:1px solid #8886;border-radius:99px;background:#fffd;color:#1c2430;font:14px system-ui,sans-serif;cursor:pointer";

/* Defines the element. load(): a promise of an Engine (play_engine.js). */
export function defineView(load) {
    class SinewView extends HTMLElement {
        static observedAttributes = ["scene", "model", "motion", "policy", "kp", "kd", "theme", "paused"];

        connectedCallback() {
            const root = (this.root ??= this.attachShadow({ mode: "open" }));
            const canvas = document.createElement("canvas");
            this.style.display ||= "block";
            this.style.position ||= "relative";
            canvas.style.cssText = "display:block;width:100%;height:100%;touch-action:pan-y";
            canvas.tabIndex = 0;
            canvas.setAttribute("role", "img");
            canvas.setAttribute("aria-label", this.getAttribute("aria-label") ?? "A simulated character in 3D; drag to look around");
            root.replaceChildren(canvas);
            this.stage = new Stage(canvas, { theme: this.getAttribute("theme") ?? "light" });
            this.stage.controls.enableZoom = false;
            if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.setAttribute("paused", "");
            if (this.hasAttribute("controls")) root.append(this.#buttons());
            this.seen = true;
            this.watcher = new IntersectionObserver(([entry]) => (this.seen = entry.isIntersecting));
            this.watcher.observe(this);
            this.ready = this.#open().catch((error) => this.#fail(error));
        }

        disconnectedCallback() {
            cancelAnimationFrame(this.waiting);
            this.watcher.disconnect();
            this.#drop();
            this.stage.dispose();
            this.engine = null;
        }

        attributeChangedCallback(name) {
            if (!this.engine) return;
            if (name === "theme") this.stage.setTheme(this.getAttribute("theme") === "dark" ? "dark" : "light");
            else if (name !== "paused") this.ready = this.restart().catch((error) => this.#fail(error));
        }

        #fail(error) {
            this.dispatchEvent(new CustomEvent("error", { detail: error }));
        }

        #drop() {
            this.scene?.free();
            this.walkers?.free();
            this.subject?.free();
            this.scene = this.walkers = this.subject = null;
        }

        async #open() {
            const engine = await load();
            if (!this.isConnected) return;
            this.engine = engine;
            await this.restart();
            let last = performance.now();
            const draw = (now) => {
                if (this.seen && !document.hidden) {
                    this.advance(this.hasAttribute("paused") ? 0 : Math.min(0.1, (now - last) / 1000));
                    this.stage.render(Math.min(0.1, (now - last) / 1000));
                }
                last = now;
                this.waiting = requestAnimationFrame(draw);
            };
            this.waiting = requestAnimationFrame(draw);
        }

        /* What the attributes say: those of the scene, and each that is given. */
        get #wanted() {
            const scene = Object.hasOwn(sceneries, this.getAttribute("scene") ?? "") ? sceneries[this.getAttribute("scene")] : null;
            const text = (name, otherwise) => (this.hasAttribute(name) ? this.getAttribute(name) : otherwise);
            const number = (name, otherwise) => (Number.isFinite(Number(this.getAttribute(name))) && this.hasAttribute(name) ? Number(this.getAttribute(name)) : otherwise);
            const motion = text("motion", scene?.motion ?? "");
            return { model: text("model", scene?.model ?? "humanoid"), motion, kp: number("kp", scene?.kp ?? 3000), kd: number("kd", scene?.kd ?? 300), root: scene ? scene.root : motion !== "", react: scene?.react ?? false, form: scene?.form ?? "stable", policy: this.getAttribute("policy") };
        }

        /* The scene from the start, as the attributes say. */
        async restart() {
            const wanted = this.#wanted, bytes = wanted.policy ? await fetchPolicy(new URL(wanted.policy, document.baseURI)) : null;
            if (!this.engine) return;
            this.#drop();
            this.subject = this.engine.subject(wanted.model, wanted.motion);
            if (bytes) {
                this.walkers = new Walkers(this.engine.module, { model: wanted.model, motion: wanted.motion, seed: 3 });
                if (!this.walkers.setPolicy(bytes)) throw new Error("this policy is not for this character and motion");
            } else {
                this.scene = this.subject.scene({ dt: 1 / 240, form: wanted.form });
                this.scene.setGains({ kp: wanted.kp, kd: wanted.kd, rootKp: wanted.root ? 20000 : 0, rootKd: wanted.root ? 2000 : 0 });
                this.scene.setReaction(wanted.react);
            }
            this.stage.clear();
            this.figure = this.stage.setModel(this.subject.model, { face: !this.subject.curve });
            this.stage.setRods("curve", this.subject.curve, { color: "#8a8f98", width: 0.012 });
            this.balls = [];
            this.due = 0;
            this.advance(0);
            this.stage.frame(this.figure);
            this.stage.follow(this.subject.curve ? null : this.figure);
        }

        /* So many seconds of simulation. */
        advance(seconds) {
            const rate = this.walkers?.rate ?? 240;
            this.due += seconds;
            const count = Math.floor(this.due * rate);
            this.due -= count / rate;
            if (this.walkers) {
                for (let i = 0; i < count; i++) this.walkers.step();
                this.stage.setPose(this.figure, this.walkers.look(this.subject.nbody).pose);
                return;
            }
            if (count) this.scene.step(count);
            if (this.subject.duration && !this.subject.loops && this.scene.time > this.subject.duration + 1.5) return void this.restart();
            this.scene.look();
            this.stage.setPose(this.figure, this.scene.pose);
            while (this.balls.length < this.scene.balls)
                this.balls.push(this.stage.setModel({ bodies: [{ name: "ball", parent: -1, shapes: [{ type: "sphere", size: [this.engine.ballRadius, 0, 0], pos: [0, 0, 0], rot: [1, 0, 0, 0] }] }] }, { style: "shapes", color: "#d8573c" }));
            this.balls.forEach((ball, i) => this.stage.setPose(ball, this.scene.ballPose, 7 * i));
        }

        /* A shove that changes the speed of the whole mass by `speed` m/s. */
        push(x, y, speed = 2) {
            this.scene?.push(x, y, speed);
            this.walkers?.push(0, [x, y, 0], 0.4 * speed);
        }

        #buttons() {
            const bar = document.createElement("div"), add = (text, act) => {
                const button = document.createElement("button");
                button.type = "button";
                button.textContent = text;
                button.style.cssText = buttonStyle;
                button.addEventListener("click", () => act(button));
                bar.append(button);
                return button;
            };
            bar.style.cssText = style;
            const label = () => (this.hasAttribute("paused") ? "Play" : "Pause");
            add(label(), (button) => {
                this.toggleAttribute("paused");
                button.textContent = label();
            });
            add("Restart", () => this.restart().catch((error) => this.#fail(error)));
            add("Push", () => this.push(0, 1));
            return bar;
        }
    }

    if (!customElements.get("sinew-view")) customElements.define("sinew-view", SinewView);
    return SinewView;
}
