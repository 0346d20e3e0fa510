/* A worker: trains as one rank of several, or steps the walkers that are drawn. The first message names the role and brings
 * the compiled module, so that it is fetched and compiled once for all. */
import { Learner, Walkers, connect, hashOf } from "./learn_core.js";

const say = (message, transfer = []) => postMessage(message, transfer);

async function load({ script, compiled }) {
    const { default: create } = await import(/* beside this file */ script);
    return create({
        instantiateWasm: (imports, done) => {
            WebAssembly.instantiate(compiled, imports).then((instance) => done(instance));
            return {};
        },
    });
}

/* Iterations until told to stop; the first rank reports. All ranks stop at the same iteration, or they would wait for each
   other for ever. */
async function train(start) {
    const module = await load(start), { rank, ranks, ports } = start;
    connect(module, Array.from({ length: ranks }, (_, r) => (r === rank ? null : ports[r])));
    const learner = await Learner.create(module, { ...start.recipe, rank, ranks });
    for (let i = 0; i < start.iterations; i++) {
        const progress = await learner.iterate();
        if (rank === 0) {
            const policy = learner.policy();
            say({ progress, hash: hashOf(policy), memory: module.HEAPU8.length, policy }, [policy.buffer]);
        }
        await new Promise((next) => setTimeout(next)); /* messages come in between */
    }
    if (rank === 0) say({ done: true });
}

/* Walkers at their own rate, or as the page asks for steps. */
async function show(start) {
    const module = await load(start);
    const nbody = start.nbody;
    let walkers = null, running = false, due = 0, last = 0, steps = 0, fallen = 0;
    const send = () => {
        const { pose, balls, lying } = walkers.look(nbody);
        say({ pose, balls, lying, copies: walkers.copies, steps, fallen }, [pose.buffer, lying.buffer]);
    };
    const step = (count) => {
        for (let i = 0; i < count; i++) fallen += walkers.step(), steps++;
        send();
    };
    const orders = {
        make(options) {
            walkers?.free();
            walkers = new Walkers(module, options);
            steps = fallen = 0;
            if (options.policy && !walkers.setPolicy(options.policy)) say({ refused: true });
            send();
        },
        policy: (bytes) => walkers.setPolicy(bytes) || say({ refused: true }),
        run: (on) => ((running = on), (last = performance.now()), (due = 0)),
        step,
        push: ([body, direction, speed]) => walkers.push(body, direction, speed),
        ball: ([from, velocity]) => walkers.throwBall(from, velocity),
    };
    onmessage = ({ data: [name, value] }) => {
        try {
            orders[name](value);
        } catch (error) {
            say({ error: error.message });
        }
    };
    orders.make(start.walkers);
    setInterval(() => {
        if (!running || !walkers) return;
        const now = performance.now();
        due = Math.min(0.2, due + (now - last) / 1000); /* a slow machine shows slow motion, not leaps */
        last = now;
        const count = Math.floor(due * walkers.rate);
        due -= count / walkers.rate;
        if (count) step(count);
    }, 1000 / 60);
}

onmessage = ({ data }) => {
    onmessage = null;
    (data.role === "train" ? train(data) : show(data)).catch((error) => say({ error: error.message }));
};
