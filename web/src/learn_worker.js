/* A worker: trains as one rank of several, or steps what is drawn: walkers, a crowd of the playground, characters that are
 * steered. The first message names the role and brings the compiled module, so that it is fetched and compiled once for all. */
import { crowdShow } from "./crowd_show.js";
import { driveShow } from "./drive_show.js";
import { runClock } from "./clock.js";
import { Engine } from "./play_engine.js";
import { Walkers, writeFiles } from "./learn_core.js";
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
function walkersShow(module, engine) {
    let walkers = null, shown = null, nbody = 0, steps = 0, fallen = 0;
    const send = () => {
        const { pose, balls, lying } = walkers.look(nbody);
        say({ pose, balls, lying, copies: walkers.copies, steps, fallen }, [pose.buffer, lying.buffer]);
    };
    const step = (count) => {
        for (let i = 0; i < count; i++) fallen += walkers.step(), steps++;
        send();
    };
    const clock = runClock(() => walkers?.rate, step);
    return {
        make(options) {
            walkers?.free();
            walkers = null;
            writeFiles(module, options.files);
            walkers = new Walkers(module, options);
            const subject = engine.subject(options.model, options.motion);
            nbody = subject.nbody;
            if (shown !== options.model || options.files) say({ body: subject.model }); /* what stage.js draws */
            shown = options.model;
            subject.free();
            steps = fallen = 0;
            if (options.policy && !walkers.setPolicy(options.policy)) say({ refused: true });
            send();
        },
        kinds(files) {
            for (const [name, bytes] of Object.entries(files)) engine.writeFile(name, bytes);
            const names = Object.keys(files), asf = names.find((name) => /\.asf$/i.test(name));
            const whole = names.filter((name) => name !== asf || names.length === 1).map((name) => (asf && /\.amc$/i.test(name) ? `${asf}+${name}` : name));
            say({ kinds: whole.map((name) => ({ name, ...engine.kindOf(name) })) });
        },
        onnx: () => say({ onnx: walkers.onnx() }),
        policy: (bytes) => walkers.setPolicy(bytes) || say({ refused: true }),
        run: clock.run,
        step,
        push: ([body, direction, speed]) => walkers.push(body, direction, speed),
        ball: ([from, velocity]) => walkers.throwBall(from, velocity),
    };
}

const shows = { show: walkersShow, drive: driveShow, crowd: crowdShow };

async function show(start) {
    const early = []; /* orders that come while the module is made */
    onmessage = ({ data }) => early.push(data);
    const module = await load(start), orders = shows[start.role](module, new Engine(module), say);
    const obey = ([name, value]) => {
        try {
            orders[name](value);
        } catch (error) {
            say({ error: error.message });
        }
    };
    onmessage = ({ data }) => obey(data);
    [["make", start.make], ...early].forEach(obey);
}

onmessage = ({ data }) => {
    onmessage = null;
    (data.role === "train" ? load(data).then((module) => trainRank(module, data, say)) : show(data)).catch((error) => say({ error: error.message }));
};
