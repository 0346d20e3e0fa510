/* A recording on the stage: the character, its ghost, forces and torques at a moment. Shared by page and pictures. */
import { Stage } from "./stage.js";
import { extentOf, isThere, locate, lowestPoint, mainCharacter, poseAt, torqueOf, torqueVector } from "./report_recording.js";

const RADIANS = Math.PI / 180;
const MOST_DRAWN = 200; /* characters beside the first */

export class Scene {
    constructor(canvas, recording, options = {}) {
        this.recording = recording;
        this.stage = new Stage(canvas, options);
        this.simulated = mainCharacter(recording);
        this.reference = recording.characters.find((c) => c.role === "reference") ?? null;
        this.id = this.stage.setModel(this.simulated.model);
        this.ghostId = this.reference ? this.stage.setModel(this.reference.model, { ghost: true }) : null;
        this.pose = new Float32Array(7 * this.simulated.model.bodies.length);
        this.ghostPose = this.reference ? new Float32Array(7 * this.reference.model.bodies.length) : null;
        this.show = { ghost: "overlay", forces: false, torques: false, shapes: false };
        this.stage.setGround({
            z: recording.ground
                ? recording.ground.point[2]
                : lowestPoint(this.reference ?? this.simulated),
        });
        this.#scales();
        this.#addOthers();
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
        const last = 3 * (c.frames - 1),
            dx = c.root[last] - c.root[0],
            dy = c.root[last + 1] - c.root[1],
            far = Math.hypot(dx, dy);
        this.heading = far > 0.3 ? Math.atan2(dy, dx) : 0;
        this.size = 0.5;
        const pose = poseAt(c, c.first, 0, this.pose);
        for (let b = 0; b < c.model.bodies.length; b++)
            this.size = Math.max(
                this.size,
                Math.hypot(pose[7 * b] - pose[0], pose[7 * b + 1] - pose[1], pose[7 * b + 2] - pose[2]),
            );
    }

    /* All other characters. Copies of the scene are at the same place; here they are drawn apart, in rows. */
    #addOthers() {
        const { characters } = this.recording,
            copies = [...new Set(characters.map((c) => c.copy ?? this.simulated.copy))];
        const columns = Math.ceil(Math.sqrt(copies.length)),
            gap = 1 + 1.5 * this.size,
            home = copies.indexOf(this.simulated.copy);
        const place = (copy) => {
            const k = copies.indexOf(copy ?? this.simulated.copy),
                side = ((k % columns) - (home % columns)) * gap,
                back = (Math.floor(k / columns) - Math.floor(home / columns)) * gap,
                [c, s] = [Math.cos(this.heading), Math.sin(this.heading)];
            return [-s * side - c * back, c * side - s * back, 0];
        };
        this.offsets = characters.map((c) => place(c.copy));
        this.others = characters
            .map((character, i) => ({ character, offset: this.offsets[i] }))
            .filter(({ character: c }) => c !== this.simulated && c !== this.reference)
            .slice(0, MOST_DRAWN);
        for (const other of this.others) {
            const { model, role } = other.character;
            other.id = this.stage.setModel(model, { ghost: role === "reference" });
            other.pose = new Float32Array(7 * model.bodies.length);
            this.stage.setOffset(other.id, other.offset);
        }
    }

    look({ azimuth = -52, elevation = 11 } = {}) {
        this.stage.view({ azimuth: this.heading + azimuth * RADIANS, elevation: elevation * RADIANS });
        this.extent ??= extentOf(this.simulated);
        this.stage.frame(this.id, this.extent);
    }

    setShow(changes) {
        Object.assign(this.show, changes);
        const { ghost, shapes } = this.show;
        for (const id of [this.id, ...this.others.map((other) => other.id)])
            this.stage.setStyle(id, shapes ? "shapes" : "skin");
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
        this.#pose(this.id, this.simulated, frame, part, this.pose);
        if (this.ghostId && isThere(this.reference, frame))
            this.stage.setPose(this.ghostId, poseAt(this.reference, frame, part, this.ghostPose));
        for (const { id, character, pose } of this.others) this.#pose(id, character, frame, part, pose);
        this.#drawForces(frame);
        this.#drawTorques(frame);
    }

    #pose(id, character, frame, part, pose) {
        const there = isThere(character, frame);
        this.stage.setVisible(id, there);
        if (there) this.stage.setPose(id, poseAt(character, frame, part, pose));
    }

    #drawForces(frame) {
        const { start, who, point, force } = this.recording.contacts;
        const arrows = [];
        if (this.show.forces)
            for (let i = start[frame]; i < start[frame + 1]; i++) {
                const offset = this.offsets[Math.max(who[4 * i], who[4 * i + 2])] ?? [0, 0, 0];
                for (let k = 0; k < 3; k++) arrows.push(point[3 * i + k] + offset[k]);
                arrows.push(...force.subarray(3 * i, 3 * i + 3));
            }
        this.stage.setArrows("forces", arrows, { color: "#e2453c", scale: this.forceScale, width: 0.026 });
    }

    #drawTorques(frame) {
        const c = this.simulated,
            bodies = c.model.bodies.length,
            rings = [];
        if (!this.show.torques || !c.torque || !(this.peak > 0) || !isThere(c, frame)) {
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
