/* Characters that a visitor steers, over the WebAssembly module: puppets in one world with balls and crates, and what those do
 * whom nobody steers. No page in here; it runs in a worker and in node.
 *
 *   const drive = new Drive(module, { go: bytes, getUp: bytes, humans: 3, crates: 6 });
 *   drive.stick(0, [1.2, 0, 0.5]);                // m/s ahead, m/s and rad/s to the left
 *   drive.step(8); drive.look();                  // { pose, modes }
 *
 * A failure throws an Error whose message is the library's own. */
import { mostPolicyBytes } from "./learn_core.js";

export const modes = ["goes", "lies", "gets_up", "limp"]; /* as sn_puppet_mode */

export class Drive {
    constructor(module, { go, getUp = null, humans = 1, crates = 0 }) {
        const lent = [go, getUp].map((bytes) => {
            if (!bytes) return [0, 0];
            if (bytes.length > mostPolicyBytes) throw new Error("the policy is larger than 4 MB");
            const p = module._malloc(bytes.length || 1);
            module.HEAPU8.set(bytes, p);
            return [p, bytes.length];
        });
        this.module = module;
        this.pointer = module._drive_create(...lent[0], ...lent[1], humans, crates);
        for (const [p] of lent) module._free(p);
        if (!this.pointer) throw new Error("out of memory");
        const error = this.#error;
        if (error) {
            this.free();
            throw new Error(error);
        }
        this.rate = module._drive_rate();
        this.humans = module._drive_humans(this.pointer);
        this.crates = module._drive_crates(this.pointer);
    }

    get #error() {
        return this.module.UTF8ToString(this.module._drive_error(this.pointer));
    }

    stick(i, [ahead, left, turn]) {
        this.module._drive_stick(this.pointer, i, ahead, left, turn);
    }

    letGo(i) {
        this.module._drive_let_go(this.pointer, i);
    }

    stand(i) {
        this.module._drive_stand(this.pointer, i);
    }

    push(i, body, way, speed) {
        return !!this.module._drive_push(this.pointer, i, body, ...way, speed);
    }

    throwBall(from, velocity) {
        return !!this.module._drive_throw(this.pointer, ...from, ...velocity);
    }

    step(count) {
        if (!this.module._drive_step(this.pointer, count)) throw new Error(this.#error);
    }

    mode(i) {
        return modes[this.module._drive_mode(this.pointer, i)];
    }

    /* Poses of all bodies of all characters, of the crates and of the balls, as a copy. */
    look(nbody) {
        const m = this.module, at = m._drive_look(this.pointer) >> 2, balls = m._drive_balls(this.pointer);
        const pose = m.HEAPF32.slice(at, at + 7 * (this.humans * nbody + this.crates + balls));
        return { pose, balls, modes: Array.from({ length: this.humans }, (_, i) => this.mode(i)) };
    }

    free() {
        this.module._drive_free(this.pointer);
        this.pointer = 0;
    }
}

export const yawOf = (pose, at) => {
    const [w, x, y, z] = pose.subarray(at + 3, at + 7);
    return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
};
const wrap = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
const clamp = (v, most) => Math.min(most, Math.max(-most, v));

/* What characters do that nobody steers: they stand, stroll about, or follow. Call act() a few times per second. */
export class Company {
    constructor(seed = 1) {
        this.seed = seed;
        this.goals = [];
    }

    #random() {
        this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
        return this.seed / 2 ** 32;
    }

    /* "stand", "stroll" or "follow"; `led` is the character that somebody steers. */
    act(drive, nbody, pose, led, manner) {
        const place = (i) => pose.subarray(7 * nbody * i, 7 * nbody * i + 2), leader = place(led);
        for (let i = 0; i < drive.humans; i++) {
            if (i === led) continue;
            if (manner === "stand") drive.stick(i, [0, 0, 0]);
            else drive.stick(i, this.#towards(pose, 7 * nbody * i, ...this.#goal(i, place(i), leader, manner)));
        }
    }

    /* A place to go to, how fast, and at which distance to stop. */
    #goal(i, own, leader, manner) {
        if (manner === "follow") {
            const away = Math.hypot(leader[0] - own[0], leader[1] - own[1]);
            return [leader, Math.min(3.2, Math.max(0, away - 1.2)), 1.6 + 0.3 * (i % 4)];
        }
        const goal = this.goals[i], near = goal && Math.hypot(goal[0] - own[0], goal[1] - own[1]) < 1;
        if (!goal || near || this.#random() < 0.01) this.goals[i] = leader.map((c) => c + 10 * (this.#random() - 0.5));
        return [this.goals[i], 1.1, 0.8];
    }

    /* The stick that leads to a place. */
    #towards(pose, at, goal, speed, stop) {
        const way = [goal[0] - pose[at], goal[1] - pose[at + 1]], away = Math.hypot(...way);
        if (away < stop) return [0, 0, 0];
        const off = wrap(Math.atan2(way[1], way[0]) - yawOf(pose, at));
        return [Math.abs(off) < 1 ? speed * Math.cos(off) : 0, 0, clamp(2 * off, 1.5)];
    }
}
