/* What the page drive/ draws: characters, crates and balls, and a camera that stays behind the one that is steered. It knows
 * poses, not physics. */
import { Stage } from "./stage.js";
import { yawOf } from "./drive_core.js";

const colors = [null, "#5b8fd0", "#58a06b", "#c76f6f", "#9a7bc4", "#d0a045", "#5aa9a6", "#b0748f"];
const shape = (type, size) => ({ bodies: [{ name: type, parent: -1, shapes: [{ type, size, pos: [0, 0, 0], rot: [1, 0, 0, 0] }] }] });
const wrap = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

export class DriveView {
    constructor(canvas, theme) {
        this.stage = new Stage(canvas, { theme });
        this.last = null;
        this.behind = true;
        this.looked = -Infinity; /* s, when the visitor last turned the camera */
        this.time = 0;
        this.stage.controls.addEventListener("start", () => (this.turning = true));
        this.stage.controls.addEventListener("end", () => (this.turning = false));
    }

    /* What there is to draw; the first picture of a new world follows. */
    setBodies({ body, crate, ball }) {
        this.stage.clear();
        this.body = body;
        this.nbody = body.bodies.length;
        this.crateModel = shape("box", [crate, crate, crate]);
        this.ballModel = shape("sphere", [ball, 0, 0]);
        this.humans = [];
        this.crates = [];
        this.balls = [];
        this.last = null;
    }

    #fill(list, count, make) {
        while (list.length < count) list.push(make(list.length));
    }

    show(message, led) {
        const { stage } = this, { pose, humans, crates, balls } = message, first = !this.last;
        this.#fill(this.humans, humans, (i) => stage.setModel(this.body, colors[i] ? { color: colors[i] } : {}));
        this.#fill(this.crates, crates, () => stage.setModel(this.crateModel, { style: "shapes", color: "#b08a5b" }));
        this.#fill(this.balls, balls, () => stage.setModel(this.ballModel, { style: "shapes", color: "#d8573c" }));
        this.last = message;
        let at = 0;
        for (const id of this.humans) stage.setPose(id, pose, at), (at += 7 * this.nbody);
        for (const id of [...this.crates, ...this.balls]) stage.setPose(id, pose, at), (at += 7);
        if (first) this.home(led);
    }

    /* Behind the character that is steered. */
    home(led) {
        const at = 7 * this.nbody * led, { pose } = this.last, narrow = Math.min(1, this.stage.camera.aspect);
        this.led = led;
        this.stage.view({ target: [pose[at], pose[at + 1], 0.95], azimuth: yawOf(pose, at) + Math.PI + 0.35, elevation: 0.24, distance: 5.2 / Math.max(0.6, narrow) });
        this.stage.setShadowRange(6);
        this.stage.follow(this.humans[led]);
    }

    lead(led) {
        if (this.last) this.home(led);
    }

    /* How fast the character goes that is steered, m/s, along the ground. */
    speed(seconds) {
        const { pose } = this.last, at = 7 * this.nbody * this.led, now = [pose[at], pose[at + 1]];
        if (this.before && seconds > 0) this.pace = (this.pace ?? 0) + Math.min(1, 3 * seconds) * (Math.hypot(now[0] - this.before[0], now[1] - this.before[1]) / seconds - (this.pace ?? 0));
        this.before = now;
        return this.pace ?? 0;
    }

    draw(seconds, moving) {
        const { stage } = this;
        this.time += seconds;
        if (this.turning) this.looked = this.time;
        if (this.behind && moving && this.time - this.looked > 2.5) {
            const { camera, controls } = stage, away = camera.position.clone().sub(controls.target);
            const off = wrap(yawOf(this.last.pose, 7 * this.nbody * this.led) + Math.PI - Math.atan2(away.y, away.x));
            stage.orbit(off * (1 - Math.exp(-1.2 * seconds)), 0);
        }
        stage.render(seconds);
    }
}
