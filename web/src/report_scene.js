/* A recording on the stage: the character, its ghost, forces and torques at a moment. Shared by page and pictures. */
import { Stage } from "./stage.js";
import { locate, lowestPoint, poseAt, torqueOf, torqueVector } from "./report_recording.js";

const RADIANS = Math.PI / 180;

export class Scene {
    constructor(canvas, recording, options = {}) {
        this.recording = recording;
        this.stage = new Stage(canvas, options);
        this.simulated = recording.characters.find((c) => c.role !== "reference") ?? recording.characters[0];
        this.reference = recording.characters.find((c) => c.role === "reference") ?? null;
        this.id = this.stage.setModel(this.simulated.model);
        this.ghostId = this.reference ? this.stage.setModel(this.reference.model, { ghost: true }) : null;
        this.pose = new Float32Array(7 * this.simulated.model.bodies.length);
        this.ghostPose = this.reference ? new Float32Array(7 * this.reference.model.bodies.length) : null;
        this.show = { ghost: "overlay", forces: false, torques: false, shapes: false };
        this.stage.setGround({
            z: recording.ground
                ? recording.ground.point[2]
                : lowestPoint(this.reference ?? this.simulated, recording.frames),
        });
        this.#scales();
        this.setTime(0);
        this.look();
        this.stage.follow(this.id);
    }

    /* Sizes of arrows: body weight is 0.7 m long; torques are measured by what the strongest joint stays below for 95 %
       of the time, since impacts are far above. */
    #scales() {
        const { simulated: c, recording: r } = this,
            weight = 9.81 * (c.model.mass || 50);
        this.forceScale = 0.7 / weight;
        const most = new Float32Array(r.frames);
        for (let f = 0; f < r.frames; f++)
            for (let b = 0; b < c.model.bodies.length; b++)
                most[f] = Math.max(most[f], torqueOf(c, f, b) || 0);
        this.peak = most.sort()[Math.floor(0.95 * (r.frames - 1))];
        /* The ghost beside it stands at right angles to the way it goes. */
        const last = 3 * (r.frames - 1),
            dx = c.root[last] - c.root[0],
            dy = c.root[last + 1] - c.root[1],
            far = Math.hypot(dx, dy);
        this.heading = far > 0.3 ? Math.atan2(dy, dx) : 0;
        this.size = 0.5;
        const pose = poseAt(c, 0, 0, this.pose);
        for (let b = 0; b < c.model.bodies.length; b++)
            this.size = Math.max(
                this.size,
                Math.hypot(pose[7 * b] - pose[0], pose[7 * b + 1] - pose[1], pose[7 * b + 2] - pose[2]),
            );
    }

    look({ azimuth = -52, elevation = 11 } = {}) {
        this.stage.view({ azimuth: this.heading + azimuth * RADIANS, elevation: elevation * RADIANS });
        this.stage.frame(this.id);
    }

    setShow(changes) {
        Object.assign(this.show, changes);
        const { ghost, shapes } = this.show;
        this.stage.setStyle(this.id, shapes ? "shapes" : "skin");
        if (this.ghostId) {
            const side = ghost === "beside" ? 0.4 + 0.75 * this.size : 0;
            this.stage.setVisible(this.ghostId, ghost !== "off");
            this.stage.setStyle(this.ghostId, shapes ? "shapes" : "skin");
            this.stage.setOffset(this.ghostId, [
                -Math.sin(this.heading) * side,
                Math.cos(this.heading) * side,
                0,
            ]);
        }
        this.setTime(this.time);
    }

    setTime(time) {
        const [frame, part] = locate(this.recording, time);
        this.time = time;
        this.frame = frame;
        this.stage.setPose(this.id, poseAt(this.simulated, frame, part, this.pose));
        if (this.ghostId)
            this.stage.setPose(this.ghostId, poseAt(this.reference, frame, part, this.ghostPose));
        this.#drawForces(frame);
        this.#drawTorques(frame);
    }

    #drawForces(frame) {
        const { start, point, force } = this.recording.contacts;
        const arrows = [];
        if (this.show.forces)
            for (let i = start[frame]; i < start[frame + 1]; i++)
                arrows.push(...point.subarray(3 * i, 3 * i + 3), ...force.subarray(3 * i, 3 * i + 3));
        this.stage.setArrows("forces", arrows, { color: "#e2453c", scale: this.forceScale, width: 0.026 });
    }

    #drawTorques(frame) {
        const c = this.simulated,
            bodies = c.model.bodies.length,
            rings = [];
        if (!this.show.torques || !c.torque || !(this.peak > 0)) {
            this.stage.setRings("torques", []);
            this.stage.setHeat(this.id, null);
            return;
        }
        const heat = new Float32Array(bodies);
        for (let b = 0; b < bodies; b++) {
            const vector = torqueVector(c, frame, b, this.pose),
                amount = Math.min(1.3, Math.sqrt(torqueOf(c, frame, b) / this.peak));
            heat[b] = 0.6 * amount;
            if (!vector || !(amount > 0.12)) continue;
            const size = (0.06 + 0.12 * amount) * Math.min(1.3, this.size),
                length = Math.hypot(vector[3], vector[4], vector[5]);
            rings.push(...vector.slice(0, 3), ...vector.slice(3).map((v) => (v * size) / length));
        }
        this.stage.setRings("torques", rings, { color: "#9a5cf0" });
        this.stage.setHeat(this.id, heat);
    }
}
