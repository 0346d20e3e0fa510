/* What can be chosen on the page learn/, and its way into the address and back. What an address says is checked here: names are
 * looked up, numbers are bounded. A file that is dropped is not part of an address. */
export const bodies = { humanoid: ["walk", "run", "backflip", "cartwheel", "kick"], dog: ["trot", "pace", "canter"] };
export const terrains = ["flat", "bumps", "slopes", "steps", "mixed"];
export const pushes = [0, 100, 200, 300]; /* N */
export const mostIterations = 2000;

export const defaults = { model: "humanoid", motion: "walk", push: 0, terrain: "flat", seed: 1 };

const whole = (text, low, high) => (/^\d{1,10}$/.test(text ?? "") && +text >= low && +text <= high ? +text : null);

/* The settings whose names begin with `prefix`; what is not understood is the default. */
export function readSettings(params, prefix = "") {
    const s = { ...defaults }, get = (name) => params.get(prefix + name);
    if (Object.hasOwn(bodies, get("model") ?? "")) (s.model = get("model")), (s.motion = bodies[s.model][0]);
    if (bodies[s.model].includes(get("motion"))) s.motion = get("motion");
    const push = whole(get("push"), 0, 1000);
    if (pushes.includes(push)) s.push = push;
    if (terrains.includes(get("terrain"))) s.terrain = get("terrain");
    s.seed = whole(get("seed"), 0, 2 ** 32) ?? s.seed;
    return s;
}

/* "#motion=run&push=200&iterations=80&hash=...", and with a second racer "&b.motion=walk". */
export function writeLink([first, second], result = null) {
    const out = new URLSearchParams(), put = (s, prefix) => Object.keys(defaults).forEach((name) => s[name] !== defaults[name] && out.set(prefix + name, s[name]));
    put(first, "");
    if (second) out.set("race", "1"), put(second, "b.");
    if (result) out.set("iterations", result.iterations), out.set("hash", result.hash);
    const text = out.toString();
    return text ? `#${text}` : "";
}

/* The reverse: { racers: one or two settings, iterations (null: no end), hash (null: none) }. */
export function readLink(address) {
    const params = new URLSearchParams(address.replace(/^#/, "").slice(0, 1000)), hash = params.get("hash");
    const racers = [readSettings(params)];
    if (params.get("race") === "1") racers.push(readSettings(params, "b."));
    return { racers, iterations: whole(params.get("iterations"), 1, mostIterations), hash: /^[0-9a-f]{16}$/.test(hash ?? "") ? hash : null };
}

/* What a worker trains. */
export function recipeOf({ model, motion, push, terrain, seed }, files = {}) {
    const settings = { ...(push ? { push } : {}), ...(terrain !== "flat" ? { terrain } : {}) };
    return { model, motion, settings, files, seed };
}

/* A saved training: one line of JSON with the settings and a name, then the checkpoint. */
const mark = "sinew training";
const mostTraining = 64 << 20;

export function writeTraining(settings, checkpoint) {
    return new Blob([`${JSON.stringify({ [mark]: 1, ...settings })}\n`, checkpoint]);
}

/* { settings, checkpoint }, or an Error: the file may come from anywhere. */
export function readTraining(bytes) {
    if (bytes.length > mostTraining) throw new Error("the file is too large for a training");
    const end = bytes.subarray(0, 1000).indexOf(10);
    let head = null;
    try {
        head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    } catch {
        /* said below */
    }
    if (end < 0 || head?.[mark] !== 1) throw new Error("the file is not a saved training");
    const params = new URLSearchParams(Object.entries(head).map(([name, value]) => [name, String(value)]));
    return { settings: readSettings(params), checkpoint: bytes.slice(end + 1) };
}
