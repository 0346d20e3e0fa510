/* One rank of a training, in a worker: iterations until all are done; the first rank reports each of them. After each, it tells
 * the others whether to go on, so that all ranks save and stop at the same iteration. */
import { Learner, connect, hashOf } from "./learn_core.js";

export async function trainRank(module, { recipe, checkpoint, iterations, rank, ranks, ports }, say) {
    const tell = connect(module, Array.from({ length: ranks }, (_, r) => (r === rank ? null : ports[r])));
    let wanted = "go on"; /* by the page: "save", "stop" */
    globalThis.onmessage = ({ data }) => (wanted = data);
    const learner = await Learner.create(module, { ...recipe, rank, ranks });
    if (checkpoint) await learner.restore(checkpoint);
    for (let i = 0; i < iterations; ) {
        const progress = await learner.iterate();
        i = progress.iterations;
        if (rank === 0) {
            const policy = learner.policy();
            say({ progress, hash: hashOf(policy), memory: module.HEAPU8.length, policy }, [policy.buffer]);
        }
        await new Promise((next) => setTimeout(next)); /* messages come in between */
        const order = ranks > 1 ? await tell(wanted) : wanted;
        wanted = "go on";
        if (order === "save") {
            const bytes = await learner.save();
            if (rank === 0) say({ checkpoint: bytes, iterations: i }, [bytes.buffer]);
        }
        if (order === "stop") break;
    }
    if (rank === 0) say({ done: true });
}
