/* Reads a recording (docs/recording.md): checks it as the command does, and gives poses at any time. */
const VERSION = 2;

export class RecordingError extends Error {}

const crcTable = new Uint32Array(256).map((_, i) => {
    for (let bit = 0; bit < 8; bit++) i = i & 1 ? (i >>> 1) ^ 0xedb88320 : i >>> 1;
    return i;
});

function checksum(bytes) {
    let crc = 0xffffffff;
    for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ crcTable[(crc ^ bytes[i]) & 255];
    return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}

function bytesOf(text, what) {
    let binary;
    try {
        binary = atob(text);
    } catch {
        throw new RecordingError(`${what} is damaged`);
    }
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

/* Float32Array of a channel with so many numbers. */
function channel(json, count, what) {
    if (!json || typeof json.data !== "string") throw new RecordingError(`${what} is missing`);
    const bytes = bytesOf(json.data, what),
        wide = json.type === "f32";
    if (!wide && json.type !== "i16") throw new RecordingError(`${what} is of a type that is not known`);
    if (bytes.length !== count * (wide ? 4 : 2))
        throw new RecordingError(`${what} is cut off or has another length than it should`);
    if (checksum(bytes) !== json.crc)
        throw new RecordingError(`${what} is damaged: its checksum does not agree`);
    const view = new DataView(bytes.buffer),
        values = new Float32Array(count);
    for (let i = 0; i < count; i++) {
        if (wide) values[i] = view.getFloat32(4 * i, true);
        else {
            const v = view.getInt16(2 * i, true);
            values[i] = v === -32768 ? NaN : v * json.scale;
        }
    }
    return values;
}

/* A character's poses, in its span of frames. */
function readCharacter(json, models, all) {
    const model = models[json.model];
    if (!model) throw new RecordingError("a character names a model that is not there");
    const n = model.bodies.length,
        first = json.first ?? 0,
        frames = json.frames ?? all;
    if (!(first >= 0 && frames >= 0 && first + frames <= all))
        throw new RecordingError("a character has frames that are not there");
    return {
        role: json.role,
        model,
        copy: json.copy ?? null,
        first,
        frames,
        root: channel(json.root, 3 * frames, "root"),
        position: channel(json.position, 3 * n * frames, "position"),
        rotation: channel(json.rotation, 4 * n * frames, "rotation"),
        torque: json.torque ? channel(json.torque, model.nv * frames, "torque") : null,
    };
}

/* Whether the character is in the frame: members come and go. */
export const isThere = (character, frame) =>
    frame >= character.first && frame < character.first + character.frames;

/* The character that numbers and plots are about: the first that is not a reference. */
export const mainCharacter = (recording) =>
    recording.characters.find((c) => c.role !== "reference") ?? recording.characters[0];

function readContacts(json, frames) {
    const count = json ? channel(json.count, frames, "contacts") : new Float32Array(frames);
    const start = new Int32Array(frames + 1);
    for (let i = 0; i < frames; i++) start[i + 1] = start[i] + count[i];
    const total = start[frames];
    return {
        start,
        total,
        who: total ? channel(json.who, 4 * total, "contacts") : new Float32Array(0),
        point: total ? channel(json.point, 3 * total, "contact points") : new Float32Array(0),
        force: total ? channel(json.force, 3 * total, "contact forces") : new Float32Array(0),
    };
}

export function readRecording(json) {
    if (json?.format !== "sinew-recording") throw new RecordingError("this is not a recording");
    if (!(json.version <= VERSION))
        throw new RecordingError(
            `it is of format version ${json.version}, and this page knows up to ${VERSION}`,
        );
    if (json.version < VERSION)
        throw new RecordingError("it is of format version 1, which is no longer read");
    if (!(json.frames >= 1)) throw new RecordingError("it has no frames");
    const frames = json.frames,
        time = channel(json.time, frames, "time");
    const characters = json.characters.map((c) => readCharacter(c, json.models, frames));
    const errors = Object.fromEntries(
        Object.entries(json.errors ?? {}).map(([key, c]) => [key, channel(c, frames, key)]),
    );
    return {
        frames,
        time,
        duration: time[frames - 1],
        rate: json.rate,
        models: json.models,
        characters,
        errors,
        contacts: readContacts(json.contacts, frames),
        ground: json.ground ?? null,
        settings: json.settings ?? {},
        result: json.result ?? {},
        events: json.events ?? [],
        learning: json.learning ?? null,
        version: json.sinew ?? "",
    };
}

/* Index of the frame at or before a time, and how far on to the next one, 0 to 1. */
export function locate(recording, time) {
    const t = recording.time;
    let low = 0,
        high = t.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (t[middle] <= time + 1e-7) low = middle;
        else high = middle - 1;
    }
    const span = low + 1 < t.length ? t[low + 1] - t[low] : 1;
    return [low, Math.min(1, Math.max(0, (time - t[low]) / span))];
}

/* Straight between places, the short way round between orientations. The character must be in the frame. */
export function poseAt(character, at, part, out) {
    const n = character.model.bodies.length,
        { root, position, rotation } = character;
    const frame = at - character.first,
        next = frame + 1 < character.frames ? frame + 1 : frame;
    for (let b = 0; b < n; b++) {
        const p0 = 3 * (frame * n + b),
            p1 = 3 * (next * n + b),
            q0 = 4 * (frame * n + b),
            q1 = 4 * (next * n + b),
            o = 7 * b;
        for (let k = 0; k < 3; k++) {
            const a = root[3 * frame + k] + position[p0 + k],
                c = root[3 * next + k] + position[p1 + k];
            out[o + k] = a + part * (c - a);
        }
        let dot = 0,
            square = 0;
        for (let k = 0; k < 4; k++) dot += rotation[q0 + k] * rotation[q1 + k];
        const sign = dot < 0 ? -part : part;
        for (let k = 0; k < 4; k++) {
            const v = (1 - part) * rotation[q0 + k] + sign * rotation[q1 + k];
            out[o + 3 + k] = v;
            square += v * v;
        }
        const scale = 1 / Math.sqrt(square || 1);
        for (let k = 0; k < 4; k++) out[o + 3 + k] *= scale;
    }
    return out;
}

function turned(q, v) {
    const [w, x, y, z] = q,
        tx = 2 * (y * v[2] - z * v[1]),
        ty = 2 * (z * v[0] - x * v[2]),
        tz = 2 * (x * v[1] - y * v[0]);
    return [
        v[0] + w * tx + y * tz - z * ty,
        v[1] + w * ty + z * tx - x * tz,
        v[2] + w * tz + x * ty - y * tx,
    ];
}

const length3 = (v) => Math.hypot(v[0], v[1], v[2]);

/* Force upwards of the ground on a character in a frame, N. */
export function groundForce(recording, character, frame) {
    const { start, who, force } = recording.contacts,
        index = recording.characters.indexOf(character);
    let sum = 0;
    for (let i = start[frame]; i < start[frame + 1]; i++) {
        if (who[4 * i] === index && who[4 * i + 2] < 0) sum += force[3 * i + 2];
        if (who[4 * i + 2] === index && who[4 * i] < 0) sum -= force[3 * i + 2];
    }
    return sum;
}

/* How far a shape reaches below its centre, given the heights of its axes. */
function reachBelow({ type, size: s, points }, z) {
    if (type === "hull") {
        let low = Infinity;
        for (let i = 0; i < points.length; i += 3)
            low = Math.min(low, z[0] * points[i] + z[1] * points[i + 1] + z[2] * points[i + 2]);
        return -low;
    }
    if (type === "capsule") return s[0] + s[1] * Math.abs(z[2]);
    if (type === "cylinder") return s[0] * Math.sqrt(Math.max(0, 1 - z[2] * z[2])) + s[1] * Math.abs(z[2]);
    if (type === "box") return s[0] * Math.abs(z[0]) + s[1] * Math.abs(z[1]) + s[2] * Math.abs(z[2]);
    if (type === "ellipsoid") return Math.hypot(s[0] * z[0], s[1] * z[1], s[2] * z[2]);
    return s[0];
}

/* The lowest point a character ever reaches: where a floor is drawn when the run had none. */
export function lowestPoint(character) {
    const { first, frames } = character,
        pose = new Float32Array(7 * character.model.bodies.length),
        step = Math.max(1, Math.floor(frames / 400));
    const axes = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ];
    let lowest = Infinity;
    for (let f = first; f < first + frames; f += step) {
        poseAt(character, f, 0, pose);
        character.model.bodies.forEach((body, b) => {
            const q = pose.subarray(7 * b + 3, 7 * b + 7);
            for (const shape of body.shapes) {
                const z = axes.map((a) => turned(q, turned(shape.rot, a))[2]);
                const height = pose[7 * b + 2] + turned(q, shape.pos)[2] - reachBelow(shape, z);
                if (height < lowest) lowest = height;
            }
        });
    }
    return Number.isFinite(lowest) ? lowest : 0;
}

/* How far from its centre a shape reaches at most. */
function reachOf({ type, size: s, points }) {
    if (type === "hull") {
        let most = 0;
        for (let i = 0; i < points.length; i += 3)
            most = Math.max(most, Math.hypot(points[i], points[i + 1], points[i + 2]));
        return most;
    }
    if (type === "capsule") return s[0] + s[1];
    if (type === "cylinder") return Math.hypot(s[0], s[1]);
    if (type === "box") return Math.hypot(s[0], s[1], s[2]);
    return type === "ellipsoid" ? Math.max(s[0], s[1], s[2]) : s[0];
}

/* The box that holds all shapes of a character in all frames. Along x and y it is seen from the root, which a camera follows;
 * along z it is that of the world. null: the character has no shapes. */
export function extentOf(character) {
    const { first, frames } = character,
        pose = new Float32Array(7 * character.model.bodies.length),
        step = Math.max(1, Math.floor(frames / 200)),
        low = [Infinity, Infinity, Infinity],
        high = [-Infinity, -Infinity, -Infinity];
    for (let f = first; f < first + frames; f += step) {
        poseAt(character, f, 0, pose);
        character.model.bodies.forEach((body, b) => {
            const q = pose.subarray(7 * b + 3, 7 * b + 7);
            for (const shape of body.shapes) {
                const at = turned(q, shape.pos),
                    reach = reachOf(shape);
                for (let k = 0; k < 3; k++) {
                    const x = at[k] + pose[7 * b + k] - (k < 2 ? pose[k] : 0);
                    low[k] = Math.min(low[k], x - reach);
                    high[k] = Math.max(high[k], x + reach);
                }
            }
        });
    }
    return high[0] >= low[0] ? { low, high } : null;
}

/* Drive torque of each body's joint in a frame: magnitude, N m or N. Free joints, which hold the root, are left out. */
export function torqueOf(character, frame, body) {
    const { joint } = character.model.bodies[body],
        at = (frame - character.first) * character.model.nv + joint.dof;
    if (!character.torque || joint.type === "free" || !isThere(character, frame)) return 0;
    let square = 0;
    for (let k = 0; k < joint.ndof; k++) square += character.torque[at + k] ** 2;
    return Math.sqrt(square);
}

/* The same as a vector in the world, at the joint: [6] point and torque; null: nothing that turns. */
export function torqueVector(character, frame, body, pose) {
    const { joint } = character.model.bodies[body],
        at = (frame - character.first) * character.model.nv + joint.dof,
        tau = character.torque;
    const q = pose.subarray(7 * body + 3, 7 * body + 7);
    let own = null;
    if (joint.type === "hinge") own = joint.axis.map((a) => a * tau[at]);
    if (joint.type === "universal")
        own = joint.axis.map((a, k) => a * tau[at] + joint.axis2[k] * tau[at + 1]);
    if (joint.type === "ball") own = [tau[at], tau[at + 1], tau[at + 2]];
    if (!own || !(length3(own) > 0)) return null;
    const point = turned(q, joint.anchor).map((v, k) => v + pose[7 * body + k]);
    return [...point, ...turned(q, own)];
}
