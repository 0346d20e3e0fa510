/* One rank of a training, in a worker: iterations until all are done; the first rank reports each of them. All ranks stop at
 * the same iteration, or they would wait for each other for ever. */
import { Learner, connect, hashOf } from "./learn_core.js";

export async function trainRank(module, { recipe, iterations, rank, ranks, ports }, say) {
    connect(module, Array.from({ length: ranks }, (_, r) => (r === rank ? null : ports[r])));
    const learner = await Learner.create(module, { ...recipe, rank, ranks });
    for (let i = 0; i < iterations; i++) {
        const progress = await learner.iterate();
        if (rank === 0) {
            const policy = learner.policy();
            say({ progress, hash: hashOf(policy), memory: module.HEAPU8.length, policy }, [policy.buffer]);
        }
        await new Promise((next) => setTimeout(next)); /* messages come in between */
    }
    if (rank === 0) say({ done: true });
}
