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
import { Learner, OnFeet, hashOf } from "./learn_core.js";
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
        return (await this.#sinew).policy(bytes, { ...this.task, iterations, hash });
    }
}

/* A policy in a module of its own, unless you name one. */
export async function parsePolicy(bytes, { sinew } = {}) {
    return (sinew ?? (await loadSinew())).policy(bytes);
}
