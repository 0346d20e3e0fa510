/* What the front door draws: a crowd that learns, or one walker. It knows poses, not physics.
 *
 *   const view = new FrontView(canvas, "light");
 *   view.setBody(model);                          // as for stage.js
 *   view.show(message);                           // poses as learn_worker.js sends them; draw() draws the last ones */
import { Stage } from "./stage.js";

const gap = 1.5; /* m between neighbours */
const jump = 0.6; /* m: nobody moves so far between two pictures unless it starts again */
const fade = 0.8; /* s in which the fallen fade */
const ballRadius = 0.12;
const ballModel = { bodies: [{ name: "ball", parent: -1, shapes: [{ type: "sphere", size: [ballRadius, 0, 0], pos: [0, 0, 0], rot: [1, 0, 0, 0] }] }] };

export class FrontView {
    constructor(canvas, theme) {
        this.stage = new Stage(canvas, { theme });
        this.stage.controls.enableZoom = false; /* the wheel scrolls the page */
        this.body = this.last = null;
        this.balls = [];
    }

    setBody(model) {
        if (this.body) this.stage.clear();
        this.body = model;
        this.nbody = model.bodies.length;
        this.balls = [];
        this.copies = 0;
    }

    #begin(copies) {
        const { stage } = this;
        this.copies = copies;
        this.centre = [0, 0];
        this.places = null;
        if (this.one) stage.remove(this.one);
        stage.setCrowd(this.body, copies > 1 ? copies : 0);
        this.one = stage.setModel(this.body, { visible: copies === 1 });
        for (const ball of this.balls) stage.remove(ball);
        this.balls = [];
        stage.setShadowRange(copies > 1 ? 8 : 3.2);
    }

    /* Where a walker belongs in the block, from its middle. */
    #grid(i) {
        if (this.copies === 1) return [0, 0];
        const columns = Math.ceil(Math.sqrt(1.5 * this.copies)), rows = Math.ceil(this.copies / columns);
        return [(Math.floor(i / columns) - (rows - 1) / 2) * gap, ((i % columns) - (columns - 1) / 2) * gap];
    }

    /* Each walker has a world of its own. It is drawn away from there by its offset, which changes whenever it starts
       again: so the block stays together although those who can walk leave. */
    show({ pose, lying, copies, balls }) {
        if (!this.body) return;
        const fresh = copies !== this.copies;
        if (fresh) this.#begin(copies);
        const n = 7 * this.nbody, now = Array.from({ length: copies }, (_, i) => [pose[n * i], pose[n * i + 1]]);
        let moved = [0, 0], upright = 0;
        this.offsets ??= [];
        now.forEach((at, i) => {
            const before = this.places?.[i], way = before && Math.hypot(at[0] - before[0], at[1] - before[1]);
            if (!before || way > jump) {
                const grid = this.#grid(i);
                this.offsets[i] = [0, 1].map((k) => this.centre[k] + grid[k] - at[k]);
            } else if (!lying[i]) {
                upright++;
                moved = moved.map((sum, k) => sum + at[k] - before[k]);
            }
        });
        this.places = now;
        if (upright) this.centre = this.centre.map((c, k) => c + moved[k] / Math.max(upright, copies / 2));
        this.last = { pose, lying, balls };
        this.#place();
        if (fresh) this.home();
        else this.#follow();
    }

    #place() {
        const { pose, lying, balls } = this.last, { stage, copies, offsets } = this, n = 7 * this.nbody;
        const drawn = (this.drawn = Float32Array.from(pose));
        for (let i = 0, at = 0; i < copies; i++)
            for (const end = at + n; at < end; at += 7) {
                drawn[at] += offsets[i][0];
                drawn[at + 1] += offsets[i][1];
            }
        if (copies > 1) {
            stage.setCrowdPose(drawn);
            stage.setCrowdFade(Array.from(lying, (t) => Math.min(1, t / fade)));
        } else stage.setPose(this.one, drawn);
        while (this.balls.length < balls) this.balls.push(stage.setModel(ballModel, { style: "shapes", color: "#d8573c" }));
        for (let i = 0; i < balls; i++) {
            const at = copies * n + 7 * i;
            stage.setPose(this.balls[i], [pose[at] + offsets[0][0], pose[at + 1] + offsets[0][1], ...pose.slice(at + 2, at + 7)]);
        }
    }

    /* Where the camera belongs; from there it goes along. */
    home() {
        const { stage, copies } = this, narrow = Math.min(1, stage.camera.aspect);
        const crowd = copies > 1, distance = (crowd ? 12 : 4.6) / (crowd ? Math.max(0.62, narrow) : Math.max(0.75, narrow));
        const wide = narrow === 1 && crowd; /* room for the words beside the crowd, or below it */
        this.aim = [...this.centre];
        stage.view({ target: [this.centre[0] + (wide ? 0.6 : 0), this.centre[1] - (wide ? 1.7 : 0), crowd ? (wide ? 0 : -1.2) : narrow < 1 ? 0.4 : 0.85], azimuth: crowd ? -0.45 : -0.95, elevation: crowd ? 0.27 : 0.14, distance });
    }

    #follow() {
        const { stage } = this, to = this.copies > 1 ? this.centre : [this.drawn[0], this.drawn[1]];
        const way = to.map((t, k) => t - this.aim[k]);
        this.aim = to;
        stage.controls.target.x += way[0];
        stage.controls.target.y += way[1];
        stage.camera.position.x += way[0];
        stage.camera.position.y += way[1];
    }

    /* The body of the only walker at that place of the picture: { body, point }, or null. */
    pick(x, y) {
        if (this.copies !== 1) return null;
        const hit = this.stage.pick(x, y);
        return hit?.id === this.one ? hit : null;
    }

    /* The way the eye looks, along the ground; turned to the left by so many quarters. */
    heading(quarters = 0) {
        const { camera, controls } = this.stage, way = controls.target.clone().sub(camera.position), length = Math.hypot(way.x, way.y) || 1;
        let x = way.x / length, y = way.y / length;
        for (let i = 0; i < quarters; i++) [x, y] = [-y, x];
        return [x, y, 0];
    }

    /* From beside the eye at the walker's chest: a place and a velocity in the walker's own world. */
    throwing() {
        const way = this.heading(), from = [0, 1].map((k) => this.drawn[k] - this.offsets[0][k] - 2.4 * way[k]), speed = 6;
        return { from: [...from, 1.1], velocity: [speed * way[0], speed * way[1], 0.5 * 9.81 * (2.4 / speed)] };
    }

    draw(seconds) {
        this.stage.render(seconds);
    }
}
