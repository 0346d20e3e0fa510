/* Learning over the WebAssembly module: a trainer's rank, and walkers that show a policy. No page and no workers in here; it
 * runs in a page, in a worker and in node.
 *
 *   const learner = await Learner.create(module, { model: "humanoid", motion: "walk", seed: 1 });
 *   const progress = await learner.iterate();
 *   const walkers = new Walkers(module, { model: "humanoid", motion: "walk", copies: 36 });
 *   walkers.setPolicy(learner.policy());
 *
 * A failure throws an Error whose message is the library's own. */

/* Larger files are not policies for the built-in characters; what comes from a link is refused before it is read. */
export const mostPolicyBytes = 4 << 20;

/* Mean seconds of an episode, from what iterations report: time lived per episode that ended, over about the last five. The first
 * iterations say nothing, because all copies began at once and nobody has had the time to fall: until then it is 0. */
export class OnFeet {
    #lived = 0;
    #ended = 0;

    add({ iterations, lived, ended }) {
        if (iterations <= 3) return 0;
        this.#lived = 0.8 * this.#lived + lived;
        this.#ended = 0.8 * this.#ended + ended;
        return this.#lived / Math.max(1, this.#ended);
    }
}

const settingsText = (settings) => (Object.keys(settings).length ? JSON.stringify(settings) : "");

function withText(m, strings, f) {
    const pointers = strings.map((s) => {
        const size = m.lengthBytesUTF8(s) + 1, p = m._malloc(size);
        m.stringToUTF8(s, p, size);
        return p;
    });
    const done = () => pointers.forEach((p) => m._free(p));
    return { result: f(...pointers), done };
}

/* 64 bits of FNV-1a over bytes, in hexadecimal: what two trainings are compared by. */
export function hashOf(bytes) {
    let high = 0xcbf29ce4, low = 0x84222325;
    for (const byte of bytes) {
        low = (low ^ byte) >>> 0;
        const product = low * 0x1b3; /* by 2^40 + 0x1b3 */
        high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
        low = product >>> 0;
    }
    return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}

/* Gives a module the way to the other ranks: ports by rank, with none for itself. Messages of a port come in order. */
export function connect(module, ports) {
    const rank = ports.indexOf(null);
    const inbox = ports.map(() => ({ full: [], waiting: null }));
    ports.forEach((port, rank) => {
        if (!port) return;
        port.onmessage = ({ data }) => {
            const box = inbox[rank];
            if (box.waiting) box.waiting(data), (box.waiting = null);
            else box.full.push(data);
        };
    });
    const next = (rank) => new Promise((done) => {
        const box = inbox[rank];
        if (box.full.length) done(box.full.shift());
        else box.waiting = done;
    });
    /* The first rank tells the others something; all call it, and all get what it said. */
    const tell = async (what) => {
        ports.forEach((port) => port && rank === 0 && port.postMessage(what));
        return rank === 0 ? what : next(0);
    };
    module.share = async (data, begin, ranks, rank) => {
        const at = Array.from(new Uint32Array(module.HEAPU8.buffer, begin, ranks + 1));
        ports.forEach((port) => {
            if (!port) return;
            const own = module.HEAPU8.slice(data + at[rank], data + at[rank + 1]);
            port.postMessage(own, [own.buffer]);
        });
        for (let other = 0; other < ranks; other++) {
            if (other === rank) continue;
            const bytes = await next(other);
            if (bytes.length !== at[other + 1] - at[other]) return false;
            module.HEAPU8.set(bytes, data + at[other]); /* not a view kept from before: memory may have grown */
        }
        return true;
    };
    return tell;
}

/* Files that a model or a motion comes from, by name, into the module's memory. */
export function writeFiles(module, files = {}) {
    for (const [name, bytes] of Object.entries(files)) module.FS.writeFile(name, bytes);
}

const checkpoint = "/checkpoint";

export class Learner {
    /* settings: members of sn_imitation_def, as { push: 200 }; files: what model and motion name, if they are not built in. */
    static async create(module, { model = "humanoid", motion = "walk", settings = {}, files = {}, seed = 1, copies = 256, rank = 0, ranks = 1 } = {}) {
        writeFiles(module, files);
        const learner = new Learner();
        learner.module = module;
        const text = withText(module, [model, motion, settingsText(settings)], (a, b, c) =>
            module.ccall("learn_create", "number", Array(7).fill("number"), [a, b, c, seed, copies, rank, ranks], { async: true }));
        learner.pointer = await text.result;
        text.done();
        if (!learner.pointer) throw new Error("out of memory");
        learner.room = module._malloc(8 * 8);
        learner.#check();
        return learner;
    }

    #check() {
        const error = this.module.UTF8ToString(this.module._learn_error(this.pointer));
        if (error) throw new Error(error);
    }

    /* `lived`: seconds that all copies were simulated for; `ended`: episodes that ended by a fall or in time. */
    async iterate() {
        const m = this.module;
        const good = await m.ccall("learn_iterate", "number", ["number", "number"], [this.pointer, this.room], { async: true });
        if (!good) this.#check();
        const [iterations, samples, ended, lived, reward, divergence, collect, update] = m.HEAPF64.slice(this.room >> 3, (this.room >> 3) + 8);
        return { iterations, samples, ended, lived, reward, divergence, collect, update };
    }

    /* The bytes of a checkpoint; of the first rank, others get none. All ranks must call it. */
    async save() {
        const { FS } = this.module;
        if (!(await this.#withPath("learn_save"))) this.#check();
        if (!FS.analyzePath(checkpoint).exists) return null;
        const bytes = FS.readFile(checkpoint);
        FS.unlink(checkpoint);
        return bytes;
    }

    /* Goes on from a checkpoint of the same task. All ranks must call it. */
    async restore(bytes) {
        const { FS } = this.module;
        FS.writeFile(checkpoint, bytes);
        try {
            if (!(await this.#withPath("learn_restore"))) this.#check();
        } finally {
            FS.unlink(checkpoint);
        }
    }

    async #withPath(name) {
        const text = withText(this.module, [checkpoint], (p) => this.module.ccall(name, "number", ["number", "number"], [this.pointer, p], { async: true }));
        const good = await text.result;
        text.done();
        return good;
    }

    /* The bytes of a policy file. */
    policy() {
        const m = this.module, size = m._learn_policy(this.pointer), from = m._learn_policy_bytes(this.pointer);
        if (!size) throw new Error("out of memory");
        return m.HEAPU8.slice(from, from + size);
    }

    free() {
        this.module._free(this.room);
        this.module._learn_free(this.pointer);
        this.pointer = 0;
    }
}

export class Walkers {
    constructor(module, { model = "humanoid", motion = "walk", settings = {}, files = {}, seed = 1, copies = 1 } = {}) {
        this.module = module;
        this.copies = copies;
        writeFiles(module, files);
        const text = withText(module, [model, motion, settingsText(settings)], (a, b, c) => module._walkers_create(a, b, c, seed, copies));
        this.pointer = text.result;
        text.done();
        if (!this.pointer) throw new Error("out of memory");
        const error = this.#error;
        if (error) {
            this.free();
            throw new Error(error);
        }
        this.rate = module._walkers_rate(this.pointer);
    }

    get #error() {
        return this.module.UTF8ToString(this.module._walkers_error(this.pointer));
    }

    /* Bytes of a policy file, which may come from anywhere. Returns whether it is one for this character and task. */
    setPolicy(bytes) {
        const m = this.module;
        if (bytes.length > mostPolicyBytes) return false;
        const p = m._malloc(bytes.length + 1);
        m.HEAPU8.set(bytes, p);
        const good = !!m._walkers_set_policy(this.pointer, p, bytes.length);
        m._free(p);
        return good;
    }

    /* The policy as an ONNX file; null: there is none yet. */
    onnx() {
        const { FS } = this.module, path = "/policy.onnx", text = withText(this.module, [path], (p) => this.module._walkers_save_policy(this.pointer, p));
        text.done();
        if (!text.result) return null;
        const bytes = FS.readFile(path);
        FS.unlink(path);
        return bytes;
    }

    /* One control step; how many fell. */
    step() {
        const fell = this.module._walkers_step(this.pointer);
        if (fell < 0) throw new Error(this.#error);
        return fell;
    }

    /* Poses of all bodies, then of balls, as a copy; and since when each lies, s. */
    look(nbody) {
        const m = this.module, at = m._walkers_look(this.pointer) >> 2, balls = m._walkers_balls(this.pointer), lying = m._walkers_lying(this.pointer) >> 3;
        const pose = m.HEAPF32.slice(at, at + 7 * (this.copies * nbody + balls));
        return { pose, balls, lying: Float32Array.from(m.HEAPF64.subarray(lying, lying + this.copies)) };
    }

    push(body, direction, speed) {
        return !!this.module._walkers_push(this.pointer, body, ...direction, speed);
    }

    throwBall(from, velocity) {
        return !!this.module._walkers_throw(this.pointer, ...from, ...velocity);
    }

    free() {
        this.module._walkers_free(this.pointer);
        this.pointer = 0;
    }
}
