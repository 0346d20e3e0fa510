/* The library in the browser: loads the WebAssembly build that this browser can run and wraps its glue (web/wasm) in
 * objects. No drawing and no page in here; it runs in node as well.
 *
 *   const engine = await loadEngine();            // options: plain (the build without SIMD), base (address), binary
 *   const subject = engine.subject("humanoid", "run");
 *   const scene = subject.scene({ form: "stable", contact: "implicit", dt: 1 / 240 }); // copies: 1000 makes it a crowd
 *   scene.setGains({ kp, kd, rootKp, rootKd });
 *   scene.step(4); scene.look(); scene.pose       // Float32Array [nbody * 7]
 *   scene.free(); subject.free();
 *
 * A failure throws an Error whose message is the library's own. */

import { hasSimd } from "./simd.js";

export const forms = ["stable", "explicit", "implicit-d", "full"]; /* as sn_form */
export const contacts = ["implicit", "rows", "none", "position"]; /* as sn_contact_method; or the position stepper, which has its own */
const shapeTypes = ["sphere", "capsule", "box", "cylinder", "ellipsoid", "hull"];

export async function loadEngine({ plain = !hasSimd(), base = import.meta.url, binary } = {}) {
    const name = plain ? "sinew-plain" : "sinew";
    const { default: create } = await import(new URL(`${name}.js`, base).href);
    return new Engine(await create(binary ? { wasmBinary: binary } : {}), !plain);
}

export class Engine {
    constructor(module, simd) {
        this.module = module;
        this.simd = simd;
        this.room = module._malloc(64 * 8); /* for answers of a few numbers */
        this.version = this.text(module._play_version());
        this.models = [...this.#names(module._play_model_name), "tinkertoy"];
        this.motions = this.#names(module._play_motion_name);
        this.ballRadius = module._play_ball_radius();
        module.FS.mkdir("/drop");
        module.FS.chdir("/drop");
        this.files = new Set();
    }

    #names(get) {
        const names = [];
        for (let p; (p = get(names.length)); ) names.push(this.text(p));
        return names;
    }

    text(pointer) {
        return this.module.UTF8ToString(pointer);
    }

    /* Calls f with pointers to copies of the strings. */
    withText(strings, f) {
        const m = this.module;
        const pointers = strings.map((s) => {
            const size = m.lengthBytesUTF8(s) + 1, p = m._malloc(size);
            m.stringToUTF8(s, p, size);
            return p;
        });
        try {
            return f(...pointers);
        } finally {
            for (const p of pointers) m._free(p);
        }
    }

    numbers(count) {
        return this.module.HEAPF64.subarray(this.room >> 3, (this.room >> 3) + count);
    }

    get memory() {
        return this.module.HEAPU8.length;
    }

    subject(model, motion = "") {
        return new Subject(this, model, motion);
    }

    /* Files by name, as they were dropped; folders are flattened away by the caller. */
    writeFile(name, bytes) {
        this.module.FS.writeFile(`/drop/${name}`, bytes);
        this.files.add(name);
    }

    readFile(name) {
        return this.module.FS.readFile(`/drop/${name}`);
    }

    /* What a file can be: { model, clip, error }. */
    kindOf(name) {
        const m = this.module, error = m._malloc(m._play_message_size());
        try {
            const kind = this.withText([name], (p) => m._play_file_kind(p, error));
            return { model: !!(kind & 1), clip: !!(kind & 2), error: this.text(error) };
        } finally {
            m._free(error);
        }
    }
}

class Subject {
    constructor(engine, model, motion) {
        const m = engine.module;
        this.engine = engine;
        this.modelName = model;
        this.motionName = motion;
        this.pointer = engine.withText([model, motion], (a, b) => m._play_subject_create(a, b));
        if (!this.pointer) throw new Error("out of memory");
        const error = engine.text(m._play_subject_error(this.pointer));
        if (error) {
            this.free();
            throw new Error(error);
        }
        this.warnings = engine.text(m._play_subject_warnings(this.pointer)).split("\n").filter(Boolean);
        this.duration = m._play_subject_duration(this.pointer);
        this.loops = !!m._play_subject_loops(this.pointer);
        this.nbody = m._play_subject_nbody(this.pointer);
        this.nq = m._play_subject_nq(this.pointer);
        this.nv = m._play_subject_nv(this.pointer);
        this.mass = m._play_subject_mass(this.pointer);
        this.curve = this.#curve();
        this.model = { bodies: Array.from({ length: this.nbody }, (_, i) => this.#body(i)) };
        if (this.model.bodies.every((body) => !body.shapes.length)) drawBones(this.model.bodies);
    }

    /* What the tinkertoy slides on, [n * 6] pieces as they are drawn, from and by; null: others. */
    #curve() {
        const m = this.engine.module, n = m._play_subject_curve_points(this.pointer), first = m._play_subject_curve(this.pointer) >> 3;
        if (!n) return null;
        const every = Math.max(1, Math.floor((n - 1) / 240)), at = (i, k) => m.HEAPF64[first + 3 * i + k], pieces = [];
        for (let i = 0; i + every < n; i += every) for (let k = 0; k < 6; k++) pieces.push(k < 3 ? at(i, k) : at(i + every, k - 3) - at(i, k - 3));
        return Float32Array.from(pieces);
    }

    #body(i) {
        const { engine, pointer } = this, m = engine.module, room = engine.room;
        m._play_subject_body(pointer, i, room);
        const b = Array.from(engine.numbers(10));
        const shapes = [];
        for (let k = 0; k < m._play_subject_body_nshape(pointer, i); k++) {
            m._play_subject_shape(pointer, i, k, room);
            const s = Array.from(engine.numbers(11));
            const shape = { type: shapeTypes[s[0]], size: s.slice(1, 4), pos: s.slice(4, 7), rot: s.slice(7, 11) };
            if (shape.type === "hull") this.#hull(i, k, shape);
            shapes.push(shape);
        }
        return {
            name: engine.text(m._play_subject_body_name(pointer, i)),
            parent: m._play_subject_body_parent(pointer, i),
            pos: b.slice(0, 3),
            rot: b.slice(3, 7),
            joint: { anchor: b.slice(7, 10) },
            shapes,
        };
    }

    /* Points and faces of a hull, from the numbers of their places in memory. */
    #hull(i, k, shape) {
        const { engine, pointer } = this, m = engine.module;
        m._play_subject_hull(pointer, i, k, engine.room);
        const [nvertex, vertex, nface, first, corner] = engine.numbers(5);
        shape.points = Array.from(m.HEAPF64.subarray(vertex >> 3, (vertex >> 3) + 3 * nvertex));
        const whole = (at, count) => Array.from(new Int32Array(m.HEAPU8.buffer, at, count));
        const begin = whole(first, nface + 1), corners = whole(corner, begin[nface]);
        shape.faces = Array.from({ length: nface }, (_, f) => corners.slice(begin[f], begin[f + 1]));
    }

    scene(options) {
        return new Scene(this, options);
    }

    free() {
        this.engine.module._play_subject_free(this.pointer);
        this.pointer = 0;
    }
}

/* A model may have masses and no shapes, as one whose meshes are missing: rods from joint to joint, to be seen only. */
function drawBones(bodies) {
    const reach = Math.max(0.1, ...bodies.map((body) => Math.hypot(...body.pos))), radius = 0.1 * reach;
    bodies.forEach((body, i) => {
        body.shapes.push({ type: "sphere", size: [1.3 * radius, 0, 0], pos: [0, 0, 0], rot: [1, 0, 0, 0] });
        for (const child of bodies) {
            const [x, y, z] = child.pos, length = Math.hypot(x, y, z);
            if (child.parent !== i || length < 2 * radius) continue;
            /* The turn that takes z to the child's place: half way between the two. */
            const w = 1 + z / length, norm = Math.hypot(w, x / length, y / length);
            const rot = norm < 1e-6 ? [0, 1, 0, 0] : [w / norm, -y / length / norm, x / length / norm, 0];
            body.shapes.push({ type: "capsule", size: [radius, length / 2 - radius, 0], pos: [x / 2, y / 2, z / 2], rot });
        }
    });
}

/* One character with balls, a mouse and a ghost; or, with more copies, a crowd of which the first are drawn. */
class Scene {
    constructor(subject, { copies = 1, drawn = 1, form = "stable", contact = "implicit", dt = 1 / 240, substeps = 1, time = 0 } = {}) {
        const { engine } = subject, m = engine.module;
        this.subject = subject;
        this.engine = engine;
        this.copies = copies;
        this.drawn = Math.min(drawn, copies);
        this.dt = dt;
        this.pointer = m._play_scene_create(subject.pointer, copies, this.drawn, forms.indexOf(form), contacts.indexOf(contact), dt, substeps, time);
        if (!this.pointer) throw new Error("out of memory");
        const error = engine.text(m._play_scene_error(this.pointer));
        if (error) {
            this.free();
            throw new Error(error);
        }
        this.lanes = engine.text(m._play_scene_lanes(this.pointer));
        this.error = this.contactCount = this.balls = this.rows = 0;
    }

    setGains({ kp, kd, rootKp, rootKd }) {
        this.engine.module._play_scene_set_gains(this.pointer, kp, kd, rootKp, rootKd);
    }

    /* Whether a blow makes it give way for a moment. */
    setReaction(on) {
        this.engine.module._play_scene_set_reaction(this.pointer, on ? 1 : 0);
    }

    /* The least part of its gains that acts on some joint. */
    get gain() {
        return this.engine.module._play_scene_gain(this.pointer);
    }

    setDt(dt) {
        this.engine.module._play_scene_set_dt(this.pointer, dt);
        this.dt = dt;
    }

    step(count) {
        return this.engine.module._play_scene_step(this.pointer, count);
    }

    get time() {
        return this.engine.module._play_scene_time(this.pointer);
    }

    /* How many copies did. */
    get diverged() {
        return this.engine.module._play_scene_diverged(this.pointer);
    }

    /* Brings what is read below up to date. */
    look() {
        const { engine } = this, m = engine.module;
        m._play_scene_look(this.pointer, engine.room);
        [this.error, this.contactCount, this.balls, this.rows] = engine.numbers(4);
    }

    #floats(pointer, count) {
        return this.engine.module.HEAPF32.subarray(pointer >> 2, (pointer >> 2) + count);
    }

    /* [drawn * nbody * 7] */
    get pose() {
        return this.#floats(this.engine.module._play_scene_pose(this.pointer), 7 * this.drawn * this.subject.nbody);
    }

    get ghostPose() {
        return this.#floats(this.engine.module._play_scene_ghost_pose(this.pointer), 7 * this.subject.nbody);
    }

    get ballPose() {
        return this.#floats(this.engine.module._play_scene_ball_pose(this.pointer), 7 * this.balls);
    }

    get contactForces() {
        return this.#floats(this.engine.module._play_scene_contacts(this.pointer), 6 * this.contactCount);
    }

    get state() {
        const m = this.engine.module, count = this.subject.nq + this.subject.nv, p = m._malloc(8 * count);
        m._play_scene_get_state(this.pointer, p);
        const values = m.HEAPF64.slice(p >> 3, (p >> 3) + count);
        m._free(p);
        return values;
    }

    set state(values) {
        const m = this.engine.module, p = m._malloc(8 * values.length);
        m.HEAPF64.set(values, p >> 3);
        m._play_scene_set_state(this.pointer, p);
        m._free(p);
    }

    throwBall(from, velocity) {
        this.engine.module._play_scene_throw(this.pointer, ...from, ...velocity);
    }

    push(x, y, speed) {
        this.engine.module._play_scene_push(this.pointer, x, y, speed);
    }

    grab(body, point) {
        return !!this.engine.module._play_scene_grab(this.pointer, body, ...point);
    }

    drag(point) {
        this.engine.module._play_scene_drag(this.pointer, ...point);
    }

    release() {
        this.engine.module._play_scene_release(this.pointer);
    }

    /* Where the hand holds the body, or null. */
    get grip() {
        return this.engine.module._play_scene_grip(this.pointer, this.engine.room) ? Array.from(this.engine.numbers(3)) : null;
    }

    free() {
        this.engine.module._play_scene_free(this.pointer);
        this.pointer = 0;
    }
}
