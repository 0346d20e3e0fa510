/* A worker: trains as one rank of several, or steps the walkers that are drawn. The first message names the role and brings
 * the compiled module, so that it is fetched and compiled once for all. */
import { Engine } from "./play_engine.js";
import { Walkers } from "./learn_core.js";
import { trainRank } from "./learn_rank.js";

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

/* Walkers at their own rate, or as the page asks for steps. */
async function show(start) {
    const module = await load(start), engine = new Engine(module);
    let walkers = null, shown = null, nbody = 0, running = false, due = 0, last = 0, steps = 0, fallen = 0;
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
            const subject = engine.subject(options.model, options.motion);
            nbody = subject.nbody;
            if (shown !== options.model) say({ body: subject.model }); /* what stage.js draws */
            shown = options.model;
            subject.free();
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
    (data.role === "train" ? load(data).then((module) => trainRank(module, data, say)) : show(data)).catch((error) => say({ error: error.message }));
};
