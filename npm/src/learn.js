/* Training in workers, and policies.
 *
 *   import { Trainer } from "sinew/learn";
 *   const trainer = new Trainer({ model: "humanoid", motion: "walk", seed: 1 });
 *   for await (const progress of trainer) if (progress.onFeet > 15) break;
 *   const policy = await trainer.policy();
 *   policy.act(observation); policy.bytes; policy.recipe;
 *
 * The number of workers changes the time a training takes and nothing else: the policy has the same bits. Where there are no
 * workers, as in node, the training runs in the program itself. */
import loadSinew, { SinewError } from "./index.js";
import { Learner, OnFeet, hashOf, mostPolicyBytes } from "./learn_core.js";
import { Pool, usualWorkers } from "./learn_pool.js";

export class Trainer {
    #last = null;
    #sinew;

    constructor({ model = "humanoid", motion = "walk", seed = 1, copies = 256, workers = "auto", iterations = 1000 } = {}) {
        const hasWorkers = typeof Worker === "function";
        this.task = { model, motion, seed, copies };
        this.workers = !hasWorkers ? 0 : workers === "auto" ? usualWorkers() : workers;
        this.iterations = iterations;
        this.#sinew = loadSinew();
    }

    async *#alone() {
        const learner = await Learner.create((await this.#sinew).module, this.task);
        try {
            for (let i = 0; i < this.iterations; i++) {
                const progress = await learner.iterate(), policy = learner.policy();
                yield { progress, policy, hash: hashOf(policy) };
            }
        } finally {
            learner.free();
        }
    }

    async *#together() {
        const wasm = new Uint8Array(await (await fetch(new URL("./sinew.wasm", import.meta.url))).arrayBuffer());
        const pool = new Pool(() => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }), { wasm });
        yield* pool.train(this.task, { workers: this.workers, iterations: this.iterations });
    }

    /* Each iteration: how many there were, samples, seconds since the start, the mean seconds of an episode (onFeet; 0 in the
       first three), the mean reward per step, and the hash of the policy. */
    async *[Symbol.asyncIterator]() {
        const began = performance.now(), onFeet = new OnFeet();
        try {
            for await (const { progress, policy, hash } of this.workers ? this.#together() : this.#alone()) {
                this.#last = { bytes: policy, iterations: progress.iterations, hash };
                yield { iterations: progress.iterations, samples: progress.samples, seconds: (performance.now() - began) / 1000, onFeet: onFeet.add(progress), reward: progress.reward, hash };
            }
        } catch (error) {
            throw new SinewError("argument", error.message);
        }
    }

    /* What was learned last. */
    async policy() {
        if (!this.#last) throw new SinewError("argument", "nothing has been learned yet");
        const { bytes, iterations, hash } = this.#last;
        return Policy.parse(bytes, { sinew: await this.#sinew, recipe: { ...this.task, iterations, hash } });
    }
}

export class Policy {
    #pointer;

    /* From the bytes of a policy file, which may come from anywhere. */
    static async parse(bytes, { sinew, recipe = null } = {}) {
        sinew ??= await loadSinew();
        if (bytes.length > mostPolicyBytes) throw new SinewError("too_large", "the policy is larger than 4 MB");
        const m = sinew.module, p = m._malloc(bytes.length || 1);
        m.HEAPU8.set(bytes, p);
        const pointer = m._sn_policy_parse(p, bytes.length, sinew.error);
        m._free(p);
        return new Policy(sinew, sinew.take(pointer), Uint8Array.from(bytes), recipe);
    }

    constructor(sinew, pointer, bytes, recipe) {
        const m = sinew.module, room = m._malloc(8);
        this.#pointer = pointer;
        Object.defineProperty(this, "sinew", { value: sinew });
        this.bytes = bytes;
        this.recipe = recipe;
        m._pack_policy_info(pointer, room);
        [this.observations, this.actions] = new Int32Array(m.HEAPU8.buffer, room, 2);
        m._free(room);
    }

    /* The action without noise; several observations one after the other give as many actions. */
    act(observation) {
        if (!this.#pointer) throw new SinewError("argument", "this policy has been freed");
        const m = this.sinew.module, rows = observation.length / this.observations;
        if (!Number.isInteger(rows) || !rows) throw new SinewError("argument", `${observation.length} values where multiples of ${this.observations} are needed`);
        const p = m._malloc(4 * (observation.length + rows * this.actions)), out = (p >> 2) + observation.length;
        m.HEAPF32.set(observation, p >> 2);
        m._sn_policy_act(this.#pointer, rows, p, 4 * out);
        const action = m.HEAPF32.slice(out, out + rows * this.actions);
        m._free(p);
        return action;
    }

    get hash() {
        return hashOf(this.bytes);
    }

    free() {
        if (this.#pointer) this.sinew.module._sn_policy_free(this.#pointer);
        this.#pointer = 0;
    }

    [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
        this.free();
    }
}
