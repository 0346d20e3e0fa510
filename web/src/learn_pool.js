/* Trains in workers, from the page: the ranks of one training, with the same bits for any number of them.
 *
 *   const pool = await loadPool(base);
 *   const training = pool.train({ model: "humanoid", motion: "walk", seed: 1 }, { workers: 2 });
 *   for await (const p of training) { p.progress; p.policy; p.hash; if (enough) break; }   // break ends the workers */

/* One core is left to the page; more than four are not worth their memory. */
export const usualWorkers = () => Math.max(1, Math.min(4, (navigator.hardwareConcurrency ?? 2) - 1));

/* make(): a new worker that runs trainRank for messages of the role "train"; common: what every first message holds. */
export class Pool {
    constructor(make, common = {}) {
        this.make = make;
        this.common = common;
        this.workers = new Set();
    }

    start(message, transfer = []) {
        const worker = this.make();
        this.workers.add(worker);
        worker.postMessage({ ...message, ...this.common }, transfer);
        return worker;
    }

    stop(worker) {
        worker.terminate();
        this.workers.delete(worker);
    }

    stopAll() {
        for (const worker of [...this.workers]) this.stop(worker);
    }

    /* checkpoint: bytes that it goes on from. control.order("save") and control.order("stop") say what the ranks do after their
       iteration; the answer to "save" is a message with `checkpoint`. */
    async *train(recipe, { workers = usualWorkers(), iterations = 1000, checkpoint = null, control = {} } = {}) {
        const ports = Array.from({ length: workers }, () => Array(workers).fill(null));
        for (let a = 0; a < workers; a++)
            for (let b = a + 1; b < workers; b++) {
                const { port1, port2 } = new MessageChannel();
                (ports[a][b] = port1), (ports[b][a] = port2);
            }
        const queue = [];
        let wake = null;
        const put = (message) => (queue.push(message), wake?.());
        const own = ports.map((row, rank) => {
            const worker = this.start({ role: "train", recipe, checkpoint, iterations, rank, ranks: workers, ports: row }, row.filter(Boolean));
            worker.onmessage = ({ data }) => put(data);
            worker.onerror = (event) => put({ error: event.message ?? "a worker could not start" });
            return worker;
        });
        control.order = (what) => own[0].postMessage(what);
        try {
            for (;;) {
                if (!queue.length) await new Promise((done) => (wake = done));
                const message = queue.shift();
                if (!message) continue;
                if (message.error) throw new Error(message.error);
                if (message.done) return;
                yield message;
            }
        } finally {
            control.order = null;
            own.forEach((worker) => this.stop(worker));
        }
    }
}

export async function loadPool(base, { plain = false } = {}) {
    const name = plain ? "sinew-plain" : "sinew", url = new URL(`${name}.wasm`, base);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url.pathname}: ${response.status}`);
    const compiled = await WebAssembly.compileStreaming(response.clone()).catch(async () => WebAssembly.compile(await response.arrayBuffer()));
    const script = new URL(`${name}.js`, base).href;
    return new Pool(() => new Worker(new URL("sinew-worker.js", base), { type: "module" }), { script, compiled });
}
