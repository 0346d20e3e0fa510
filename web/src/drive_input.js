/* Keys, the stick on the screen, and gamepads, as one stick: [m/s ahead, m/s to the left, rad/s to the left]. */
const walk = 1.4, run = 3.4, back = 0.7, aside = 0.6, turn = 1.5;
const keys = { w: "ahead", arrowup: "ahead", s: "back", arrowdown: "back", a: "left", arrowleft: "left", d: "right", arrowright: "right", q: "asideLeft", e: "asideRight", shift: "run" };

export class Sticks {
    /* acts: by key, { " ": f, c: f, ... }; moved(): the visitor did something. */
    constructor(pad, knob, acts, moved) {
        this.held = new Set();
        this.pad = [0, 0]; /* to the right and ahead, -1 to 1 */
        const typing = (event) => event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("select, input, summary, textarea");
        addEventListener("keydown", (event) => {
            const key = event.key.toLowerCase();
            if (typing(event)) return;
            if (key === " " && event.target.matches?.("button, a")) return;
            if (keys[key]) this.held.add(keys[key]), moved();
            else if (acts[key]) event.repeat || acts[key]();
            else return;
            if (key !== "shift") event.preventDefault();
        });
        addEventListener("keyup", (event) => this.held.delete(keys[event.key.toLowerCase()]));
        addEventListener("blur", () => this.held.clear());
        this.#watch(pad, knob, moved);
    }

    #watch(pad, knob, moved) {
        let pointer = null;
        const place = (event) => {
            const box = pad.getBoundingClientRect(), most = box.width / 2 - 20;
            let x = event.clientX - box.left - box.width / 2, y = event.clientY - box.top - box.height / 2;
            const away = Math.hypot(x, y), scale = away > most ? most / away : 1;
            (x *= scale), (y *= scale);
            knob.style.transform = `translate(${x}px, ${y}px)`;
            this.pad = [x / most, -y / most];
            moved();
        };
        const release = (event) => {
            if (event.pointerId !== pointer) return;
            pointer = null;
            this.pad = [0, 0];
            knob.style.transform = "";
        };
        pad.addEventListener("pointerdown", (event) => {
            pointer = event.pointerId;
            pad.setPointerCapture(pointer);
            place(event);
            event.preventDefault();
        });
        pad.addEventListener("pointermove", (event) => event.pointerId === pointer && place(event));
        pad.addEventListener("pointerup", release);
        pad.addEventListener("pointercancel", release);
    }

    #gamepad() {
        const pad = [...(navigator.getGamepads?.() ?? [])].find((one) => one?.connected && one.axes.length > 1);
        return pad ? [pad.axes[0], -pad.axes[1]].map((v) => (Math.abs(v) < 0.15 ? 0 : v)) : [0, 0];
    }

    /* What the visitor wants now. */
    read() {
        const has = (name) => (this.held.has(name) ? 1 : 0), others = this.#gamepad();
        const [x, y] = this.pad.map((v, k) => v || others[k]);
        const ahead = (has("ahead") - has("back")) * (has("ahead") ? (has("run") ? run : walk) : back);
        return [
            ahead || (y > 0 ? run * y * y : back * y), /* fine where it is slow */
            aside * (has("asideLeft") - has("asideRight")),
            turn * (has("left") - has("right")) || -turn * x,
        ];
    }
}
