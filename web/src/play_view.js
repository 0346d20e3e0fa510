/* One picture of the playground: a stage, the scene or crowd it shows, and what is said about it. */
import { Stage } from "./stage.js";

const ballColors = ["#d8573c", "#2f8f83", "#3c6fd8", "#d8a03c"];
const ballModel = (radius) => ({ bodies: [{ name: "ball", parent: -1, shapes: [{ type: "sphere", size: [radius, 0, 0], pos: [0, 0, 0], rot: [1, 0, 0, 0] }] }] });

/* From each bead to the next, [n * 6]. */
function rodsBetween(pose) {
    const rods = [];
    for (let at = 7; at < pose.length; at += 7) for (let k = 0; k < 6; k++) rods.push(k < 3 ? pose[at - 7 + k] : pose[at + k - 3] - pose[at - 10 + k]);
    return Float32Array.from(rods);
}

export class View {
    constructor(element, theme) {
        this.element = element;
        this.canvas = element.querySelector("canvas");
        this.label = element.querySelector(".label");
        this.verdict = element.querySelector(".verdict");
        this.stage = new Stage(this.canvas, { theme });
        this.scene = null;
        this.subject = null;
        this.look = { ghost: false, forces: false, shapes: false, follow: true };
        this.balls = [];
    }

    /* Other bodies to draw. */
    setSubject(subject) {
        this.stage.clear();
        this.subject = subject;
        this.balls = [];
        this.crowd = null;
        this.id = this.stage.setModel(subject.model, { face: !subject.curve });
        this.stage.setRods("curve", subject.curve, { color: "#8a8f98", width: 0.012 });
        this.ghost = null; /* after the first picture */
        this.stage.setShadowRange(3.2);
        this.framed = false;
    }

    setScene(scene) {
        this.scene = scene;
        for (const ball of this.balls) this.stage.setVisible(ball, false);
        this.stage.setTether(null);
        this.say(null);
    }

    setLabel(html) {
        this.label.hidden = !html;
        this.label.innerHTML = html ?? "";
    }

    /* Shows that the run ended, or, with null, that it has not. */
    say(title, text = "") {
        this.element.classList.toggle("diverged", !!title);
        this.verdict.hidden = !title;
        this.verdict.querySelector("b").textContent = title ?? "";
        this.verdict.querySelector("span").textContent = text;
    }

    /* A camera that suits the subject. */
    home() {
        if (this.crowd) {
            this.stage.view({ target: this.crowd.centre ?? [0, 0, 0.8], azimuth: 0.5, elevation: 0.24, distance: Math.max(5, this.crowd.extent * 0.95) });
        } else if (this.subject.curve) { /* all of it */
            this.stage.view({ target: [0, 0, 1.2], azimuth: -0.95, elevation: 0.22, distance: 4.6 / Math.min(1, this.stage.camera.aspect) });
        } else {
            this.stage.view({ azimuth: -0.95, elevation: 0.16 });
            this.stage.frame(this.id);
            /* Room for the buttons below. */
            const { camera, controls } = this.stage, distance = camera.position.distanceTo(controls.target), t = controls.target;
            this.stage.view({ target: [t.x, t.y, t.z - 0.025 * distance], distance: (camera.aspect < 0.6 ? 0.92 : 1.08 * Math.min(1, camera.aspect)) * distance });
        }
        this.followed = undefined;
    }

    draw(seconds, holds) {
        if (this.crowd) this.#drawCrowd();
        else if (this.scene) this.#drawScene(holds);
        this.stage.render(seconds);
    }

    #drawScene(holds) {
        const { scene, stage, look } = this;
        scene.look();
        stage.setPose(this.id, scene.pose);
        if (this.framed && !this.subject.curve) this.ghost ??= stage.setModel(this.subject.model, { ghost: true, shadow: false });
        if (this.ghost) {
            stage.setPose(this.ghost, scene.ghostPose);
            stage.setOffset(this.ghost, look.ghost ? this.#beside() : [0, 0, 0]);
        }
        if (this.ghost) stage.setVisible(this.ghost, look.ghost);
        stage.setStyle(this.id, look.shapes ? "shapes" : "skin");
        this.#drawBalls();
        if (this.subject.curve) stage.setRods("rods", rodsBetween(scene.pose), { color: "#d8a03c", width: 0.02 });
        stage.setArrows("forces", look.forces ? scene.contactForces : null, { color: "#2f9e5b", scale: 0.0006, width: 0.02 });
        const grip = scene.grip;
        stage.setTether(grip, grip ? this.hand : undefined);
        /* A driven root keeps to the ghost, which stays calm whatever the body does. */
        const followed = look.follow && !this.subject.curve ? (holds && !look.ghost ? (this.ghost ?? this.id) : this.id) : null;
        if (!this.framed) {
            this.framed = true;
            this.home();
        }
        this.#follow(followed);
    }

    /* The ghost stands beside the character: over it nothing would be seen where tracking is good. */
    #beside() {
        return [0, 0.55 * Math.min(2, this.#reach()), 0];
    }

    /* The camera keeps its place when the ghost steps aside or back. */
    standApart() {
        if (this.followed) this.followed = undefined;
    }

    /* From one to the other of the same character the camera keeps its place. */
    #follow(id) {
        if (id === this.followed) return;
        const offset = this.followed && id ? this.stage.followOffset : null;
        this.stage.follow(id);
        this.stage.followOffset = offset;
        this.followed = id;
    }

    #drawBalls() {
        const { scene, stage } = this, poses = scene.ballPose;
        while (this.balls.length < scene.balls) {
            const color = ballColors[this.balls.length % ballColors.length];
            this.balls.push(stage.setModel(ballModel(scene.engine.ballRadius), { style: "shapes", color }));
        }
        for (let i = 0; i < scene.balls; i++) {
            stage.setPose(this.balls[i], poses, 7 * i);
            stage.setVisible(this.balls[i], true);
        }
    }

    /* A block of characters, drawn apart from one another; they do not know of each other. */
    setCrowd(crowd) {
        const { stage, subject } = this, n = crowd.drawn, columns = Math.ceil(Math.sqrt(n * 1.3));
        const size = Math.max(0.5, this.#reach());
        stage.setVisible(this.id, false);
        if (this.ghost) stage.setVisible(this.ghost, false);
        for (const ball of this.balls) stage.setVisible(ball, false);
        stage.setArrows("forces", null);
        stage.setTether(null);
        stage.setCrowd(subject.model, n);
        const rows = Math.ceil(n / columns), gapX = 0.9 * size, gapY = 0.55 * size;
        this.crowd = { crowd, columns, gapX, gapY, rows, extent: Math.max(columns * gapY, rows * gapX), pose: new Float32Array(7 * n * subject.nbody) };
        stage.setShadowRange(Math.min(18, 0.62 * this.crowd.extent + 2));
        this.scene = null;
        this.say(null);
        this.framed = false;
    }

    /* How much room one takes. */
    #reach() {
        let reach = 0.8;
        for (const body of this.subject.model.bodies) for (const shape of body.shapes) reach = Math.max(reach, ...shape.size);
        return Math.min(4, 1.1 + reach);
    }

    #drawCrowd() {
        const { stage } = this, c = this.crowd, nbody = this.subject.nbody, n = c.crowd.drawn;
        c.crowd.look();
        if (!c.crowd.pose) return; /* nothing has come yet */
        const from = c.crowd.pose, to = c.pose;
        to.set(from);
        let x = 0, y = 0, z = 0;
        for (let i = 0; i < n; i++) {
            const dx = (Math.floor(i / c.columns) - (c.rows - 1) / 2) * c.gapX, dy = ((i % c.columns) - (c.columns - 1) / 2) * c.gapY;
            const first = 7 * i * nbody;
            for (let at = first; at < first + 7 * nbody; at += 7) {
                to[at] += dx;
                to[at + 1] += dy;
            }
            x += to[first] / n;
            y += to[first + 1] / n;
            z += to[first + 2] / n;
        }
        stage.setCrowdPose(to);
        c.centre = [x, y, 0.8 * z];
        /* The camera follows characters only: the hidden one stands in the middle. */
        const middle = (c.middle ??= new Float32Array(7 * nbody).fill(0));
        for (let at = 0; at < middle.length; at += 7) middle.set([x, y, z, 1, 0, 0, 0], at);
        stage.setPose(this.id, middle);
        if (!this.framed) {
            this.framed = true;
            this.home();
        }
        const followed = this.look.follow ? this.id : null;
        this.#follow(followed);
    }

    /* 2 all, 1 coarser shadows, 0 no shadows and fewer pixels. */
    setDetail(detail) {
        const { stage } = this;
        stage.setQuality(detail < 2 ? "low" : "high");
        stage.renderer.shadowMap.enabled = stage.key.castShadow = detail > 0;
        if (detail === 0) stage.renderer.setPixelRatio(0.6);
        else stage.resize();
    }

    /* Looks the same way as another view does. */
    lookLike(other) {
        const a = other.stage, b = this.stage;
        b.camera.position.copy(a.camera.position).sub(a.controls.target).add(b.controls.target);
    }

    dispose() {
        this.stage.dispose();
    }
}
