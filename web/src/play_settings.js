/* What can be chosen on the page, and its way into the address and back. */
import { contacts, forms } from "./play_engine.js";

export const steps = [960, 480, 240, 120, 60, 30]; /* per second */
export const presets = {
    paper: { kp: 75000, kd: 4000, root: true },
    soft: { kp: 600, kd: 40, root: true },
    ragdoll: { kp: 0, kd: 2, root: false, react: false },
    active: { kp: 2000, kd: 150, root: true, react: true },
};
/* Whole scenes: the character, what it does, and how it is driven. */
export const sceneries = {
    run: { model: "humanoid", motion: "run", ...presets.paper, react: false },
    compare: { model: "humanoid", motion: "", kp: 300, kd: 3, root: false, react: false, rate: 240, view: "split", speed: 0.1 }, /* PD rings, then blows up */
    crowd: { model: "humanoid", motion: "run", ...presets.paper, react: false, view: "crowd", count: 200 },
    ragdoll: { model: "humanoid", motion: "", ...presets.ragdoll },
    hit: { model: "humanoid", motion: "walk", ...presets.active },
    kick: { model: "humanoid", motion: "kick", ...presets.active },
    pass: { model: "humanoid", motion: "pass", ...presets.active },
    catch: { model: "humanoid", motion: "catch", ...presets.active },
    mouse: { model: "mouse", motion: "keyframes", root: true, react: false },
    tinkertoy: { model: "tinkertoy", motion: "helix", kp: 1e6, kd: 6250, root: false, react: false, form: "full" }, /* kd = 1.5 kp dt */
};
export const maxCrowd = 20000;
const mostState = 100000; /* letters: more than any character that can be drawn needs */

export const defaults = {
    model: "humanoid",
    motion: "run",
    kp: 75000,
    kd: 4000,
    root: true, /* the root is driven, too */
    react: false, /* a blow makes it give way */
    rate: 240, /* steps per second */
    form: "stable",
    contact: "implicit",
    view: "single", /* single, split, crowd */
    count: 200,
};

const checks = {
    kp: (v) => v >= 0 && v <= 1e7,
    kd: (v) => v >= 0 && v <= 1e6,
    rate: (v) => steps.includes(v),
    count: (v) => Number.isInteger(v) && v >= 1 && v <= maxCrowd,
    form: (v) => forms.includes(v),
    contact: (v) => contacts.includes(v),
    view: (v) => ["single", "split", "crowd"].includes(v),
};

const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

/* The scene that "#scene=hit" names, or null. */
export function sceneIn(hash) {
    const name = new URLSearchParams(hash.replace(/^#/, "")).get("scene");
    return name && Object.hasOwn(sceneries, name) ? name : null;
}

/* "#model=dog&motion=trot": only what differs from the defaults. moment: { time, state } or null. */
export function toHash(settings, moment) {
    const out = new URLSearchParams();
    for (const [key, value] of Object.entries(settings)) if (key in defaults && value !== defaults[key]) out.set(key, String(value));
    if (moment) {
        out.set("t", moment.time.toFixed(4));
        out.set("state", toBase64(new Uint8Array(Float32Array.from(moment.state).buffer)));
    }
    const text = out.toString();
    return text ? `#${text}` : "";
}

/* The reverse; what is not understood is left out. Returns { settings, moment }. */
export function fromHash(hash) {
    const settings = { ...defaults }, params = new URLSearchParams(hash.replace(/^#/, ""));
    for (const [key, text] of params) {
        if (!(key in defaults)) continue;
        const kind = typeof defaults[key];
        const value = kind === "number" ? Number(text) : kind === "boolean" ? text === "true" : text;
        if (text !== "" || key === "motion") if (!checks[key] || checks[key](value)) settings[key] = value;
    }
    let moment = null;
    try {
        const time = Number(params.get("t")), state = params.get("state");
        if (state?.length > mostState) return { settings, moment };
        if (state && Number.isFinite(time)) moment = { time, state: new Float32Array(fromBase64(state).buffer) };
        if (moment && !moment.state.every(Number.isFinite)) moment = null;
    } catch {
        moment = null; /* a damaged link still gives its settings */
    }
    return { settings, moment };
}

/* A slider's 0..1 to a gain and back: 0, then powers of ten. */
export const gainScale = (low, high) => ({
    value: (x) => (x <= 0 ? 0 : Number((low * (high / low) ** x).toPrecision(2))),
    place: (v) => (v <= 0 ? 0 : Math.max(0.001, Math.min(1, Math.log(v / low) / Math.log(high / low)))),
});
