/* Sinew for JavaScript: physics-based characters, the C library compiled to WebAssembly.
 *
 *   import loadSinew from "sinew";
 *   const sinew = await loadSinew();
 *   const world = sinew.world({ dt: 1 / 240 });
 *   const human = world.add(sinew.model("humanoid"));
 *   world.addFloor();
 *   human.hold({ kp: 1000, kd: 100 });
 *   world.step(4);
 *   human.poses;                                  // Float32Array [nbody * 7], valid until the next step
 *
 * What is made here holds memory that the garbage collector does not see. Call free() when you are done with a model, a
 * motion or a world, or declare it with `using`. A failure throws a SinewError with the library's own message. */
import createModule from "./sinew.js";
import { fields, phases, statuses } from "./schema.js";
import { SinewError } from "./error.js";
import { Handle } from "./handle.js";
import { Policy, Puppet, stepPuppets } from "./puppet.js";

export { Policy, Puppet, SinewError };

/* The WebAssembly: beside this file; from the disk in node, where fetch does not read files. */
async function findWasm(wasm) {
    if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return { wasmBinary: wasm };
    const url = new URL(wasm ?? new URL("./sinew.wasm", import.meta.url));
    if (url.protocol === "file:") {
        const disk = "node:fs/promises"; /* a name that bundlers do not follow */
        const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ disk);
        return { wasmBinary: await readFile(url) };
    }
    return { locateFile: () => url.href };
}

export default async function loadSinew({ wasm } = {}) {
    return new Sinew(await createModule(await findWasm(wasm)));
}

class Sinew {
    constructor(module) {
        this.module = module;
        this.error = module._pack_error_create();
        this.version = module.UTF8ToString(module._sn_version());
        this.files = 0;
        for (const name of ["module", "error", "files"]) Object.defineProperty(this, name, { enumerable: false });
    }

    /* ------------------------------------------------------------------------------------------ memory and errors */

    /* Calls f with pointers to copies of strings and of lists of numbers (as doubles); null stays null. */
    lend(values, f) {
        const m = this.module, pointers = [];
        try {
            for (const value of values) {
                if (value == null) {
                    pointers.push(0);
                } else if (typeof value === "string") {
                    const size = m.lengthBytesUTF8(value) + 1, p = m._malloc(size);
                    m.stringToUTF8(value, p, size);
                    pointers.push(p);
                } else {
                    const p = m._malloc(8 * value.length || 8);
                    m.HEAPF64.set(value, p >> 3);
                    pointers.push(p);
                }
            }
            return f(...pointers);
        } finally {
            for (const p of pointers) m._free(p);
        }
    }

    /* Calls f with room for so many doubles, and returns what it left there. */
    borrow(count, f) {
        const m = this.module, p = m._malloc(8 * count || 8);
        try {
            f(p);
            return m.HEAPF64.slice(p >> 3, (p >> 3) + count);
        } finally {
            m._free(p);
        }
    }

    take(pointer) {
        if (pointer) return pointer;
        const m = this.module;
        throw new SinewError(statuses[m._pack_error_status(this.error)], m.UTF8ToString(m._pack_error_message(this.error)));
    }

    /* --------------------------------------------------------------------------------------------- what can be made */

    /* A built-in model: "humanoid", "dog", "snake" ... */
    model(name) {
        return new Model(this, this.take(this.lend([name], (p) => this.module._sn_builtin_create(p, this.error))));
    }

    /* A model from files by name (MJCF, URDF, JSON): { "robot.xml": text, "arm.stl": bytes }, and which of them is the model. */
    loadModel(files, main) {
        const { FS } = this.module, folder = `/load${this.files++}`;
        FS.mkdir(folder);
        const made = [];
        try {
            for (const [name, content] of Object.entries(files)) {
                const parts = name.split("/");
                if (parts.some((part) => part === "" || part === "." || part === "..")) throw new SinewError("argument", `"${name}" is not the name of a file`);
                for (let k = 1; k < parts.length; k++) {
                    const path = `${folder}/${parts.slice(0, k).join("/")}`;
                    if (!FS.analyzePath(path).exists) FS.mkdir(path), made.push(path);
                }
                FS.writeFile(`${folder}/${name}`, typeof content === "string" ? content : new Uint8Array(content));
            }
            return new Model(this, this.take(this.lend([`${folder}/${main}`], (p) => this.module._pack_model_load(p, this.error))));
        } finally {
            for (const name of Object.keys(files)) if (FS.analyzePath(`${folder}/${name}`).exists) FS.unlink(`${folder}/${name}`);
            for (const path of made.reverse()) FS.rmdir(path);
            FS.rmdir(folder);
        }
    }

    /* A built-in motion of a model: "walk", "run", "trot" ... */
    motion(name, model) {
        return new Motion(this, this.take(this.lend([name], (p) => this.module._sn_builtin_motion_create(p, model.pointer, this.error))), model);
    }

    /* A policy from the bytes of a file of `sinew train`, which may come from anywhere. */
    policy(bytes, recipe = null) {
        return new Policy(this, bytes, recipe);
    }

    /* A world; options: the members of sn_world_def by name, as { dt: 1 / 60, copies: 100, contact: "rows" }. */
    world(options = {}) {
        return new World(this, this.take(this.lend([JSON.stringify(options)], (p) => this.module._pack_world_create(p, this.error))), options.copies ?? 1);
    }
}

export class Model extends Handle {
    #users = 0;
    #waiting = 0;

    constructor(sinew, pointer) {
        super(sinew, "model", pointer);
        const m = sinew.module, room = m._malloc(16);
        this.mass = m._pack_model_info(pointer, room);
        [this.nbody, this.nq, this.nv] = new Int32Array(m.HEAPU8.buffer, room, 3);
        m._free(room);
        this.bodies = Array.from({ length: this.nbody }, (_, i) => m.UTF8ToString(m._pack_model_body_name(pointer, i)));
    }

    /* The index of a body by its name. */
    body(name) {
        const index = typeof name === "number" ? name : this.bodies.indexOf(name);
        if (!Number.isInteger(index) || index < 0 || index >= this.nbody) throw new SinewError("argument", `there is no body "${name}"`);
        return index;
    }

    get home() {
        return this.sinew.borrow(this.nq, (p) => this.sinew.module._sn_model_home_pose(this.pointer, p));
    }

    /* Worlds keep a model alive that was freed before them. */
    use(count) {
        this.#users += count;
        if (this.#waiting && !this.#users) this.sinew.module._sn_model_free(this.#waiting), (this.#waiting = 0);
    }

    release(pointer) {
        if (this.#users) this.#waiting = pointer;
        else this.sinew.module._sn_model_free(pointer);
    }
}

export class Motion extends Handle {
    constructor(sinew, pointer, model) {
        super(sinew, "motion", pointer);
        this.model = model;
        this.duration = sinew.module._pack_motion_duration(pointer);
        model.use(1);
    }

    /* { q, qd } at a time in seconds. */
    sample(time) {
        const { nq, nv } = this.model, values = this.sinew.borrow(nq + nv, (p) => this.sinew.module._sn_motion_sample(this.pointer, time, p, p + 8 * nq));
        return { q: values.slice(0, nq), qd: values.slice(nq) };
    }

    release(pointer) {
        this.sinew.module._sn_motion_free(pointer);
        this.model.use(-1);
    }
}

export class World extends Handle {
    #models = [];
    members = [];
    puppets = []; /* they act before each step */

    constructor(sinew, pointer, copies) {
        super(sinew, "world", pointer);
        this.copies = copies;
    }

    check(status) {
        if (status) throw new SinewError(statuses[status], this.sinew.module.UTF8ToString(this.sinew.module._sn_world_message(this.pointer)) || statuses[status]);
    }

    /* Adds a character or a body, in all copies. */
    add(model) {
        const { module, error } = this.sinew, handle = module._sn_world_add(this.pointer, model.pointer, error);
        if (handle < 0) this.sinew.take(0);
        model.use(1);
        this.#models.push(model);
        const member = new Member(this, model, handle);
        this.members.push(member);
        return member;
    }

    remove(member) {
        for (const puppet of this.puppets.filter((one) => one.member === member)) puppet.free();
        this.check(this.sinew.module._sn_world_remove(this.pointer, member.handle));
        this.members = this.members.filter((other) => other !== member);
    }

    addFloor() {
        return this.sinew.module._sn_world_add_floor(this.pointer);
    }

    step(count = 1) {
        for (let i = 0; i < count; i++) {
            if (this.puppets.length) stepPuppets(this.sinew, this.puppets);
            this.check(this.sinew.module._sn_world_step(this.pointer));
        }
    }

    get time() {
        return this.sinew.module._sn_world_time(this.pointer);
    }

    set dt(dt) {
        this.check(this.sinew.module._sn_world_set_dt(this.pointer, dt));
    }

    get stats() {
        const m = this.sinew.module, room = m._malloc(16);
        m._pack_world_stats(this.pointer, room);
        const [contacts, asleep, diverged] = new Int32Array(m.HEAPU8.buffer, room, 4);
        m._free(room);
        return { contacts, asleep, diverged };
    }

    /* Contacts of the last step in one copy; -1: in all of them. */
    contacts(copy = 0) {
        const { sinew } = this, m = sinew.module, count = m._pack_world_contacts(this.pointer, copy, 0, 0);
        const rows = sinew.borrow(20 * count, (p) => m._pack_world_contacts(this.pointer, copy, p, count));
        const of = (handle) => this.members.find((member) => member.handle === handle) ?? null;
        return Array.from({ length: count }, (_, i) => {
            const r = rows.subarray(20 * i, 20 * i + 20), three = (at) => Array.from(r.subarray(at, at + 3));
            return { copy: r[0], members: [of(r[1]), of(r[2])], bodies: [r[3], r[4]], shapes: [r[5], r[6]], phase: phases[r[7]], pos: three(8), normal: three(11), gap: r[14], force: three(15), sliding: r[18] !== 0, slipSpeed: r[19] };
        });
    }

    /* The whole world as bytes, and back; see sn_world_snapshot. */
    snapshot() {
        const m = this.sinew.module, size = m._sn_world_snapshot(this.pointer, 0, 0), p = m._malloc(size);
        try {
            if (!size || !m._sn_world_snapshot(this.pointer, p, size)) throw new SinewError("memory", "no memory for a snapshot");
            return m.HEAPU8.slice(p, p + size);
        } finally {
            m._free(p);
        }
    }

    restore(bytes) {
        const { module: m, error } = this.sinew, p = m._malloc(bytes.length || 1);
        try {
            m.HEAPU8.set(bytes, p);
            if (m._sn_world_restore(this.pointer, p, bytes.length, error)) this.sinew.take(0);
        } finally {
            m._free(p);
        }
    }

    /* All positions and velocities, bit by bit: 16 hexadecimal digits. */
    hash() {
        const m = this.sinew.module, p = m._malloc(17);
        m._pack_world_hash(this.pointer, p);
        const text = m.UTF8ToString(p);
        m._free(p);
        return text;
    }

    release(pointer) {
        const m = this.sinew.module;
        for (const puppet of [...this.puppets]) puppet.free();
        m._sn_world_free(pointer);
        for (const member of this.members) member.drop();
        for (const model of this.#models) model.use(-1);
        this.members = [];
        this.#models = [];
    }
}

export class Member {
    #room = 0;
    #poses = 0;

    constructor(world, model, handle) {
        this.world = world;
        this.model = model;
        this.handle = handle;
    }

    get #sinew() {
        return this.world.sinew;
    }

    /* Stands on the ground in its home pose, and keeps it there. Without gains: those of the model. */
    hold({ kp = 0, kd = 0 } = {}) {
        this.world.check(this.#sinew.module._sn_world_hold(this.world.pointer, this.handle, kp, kd));
    }

    /* A puppet, which goes where a stick says: see puppet.js. It must be the built-in humanoid, and stand. */
    drive(policy, { getUp = null, copy = 0 } = {}) {
        return new Puppet(this, policy, getUp, copy);
    }

    /* The targets come from a motion of its model; null: you set them. */
    follow(motion) {
        this.world.check(this.#sinew.module._sn_world_set_motion(this.world.pointer, this.handle, motion ? motion.pointer : 0));
    }

    #both(call, a, b, sizes) {
        [a, b].forEach((list, k) => {
            if (list && list.length !== sizes[k]) throw new SinewError("argument", `${list.length} values where ${sizes[k]} are needed`);
        });
        this.world.check(this.#sinew.lend([a, b], (p, q) => call(this.world.pointer, this.handle, p, q)));
    }

    setState({ q, qd }) {
        this.#both(this.#sinew.module._sn_world_set_state, q, qd, [this.model.nq, this.model.nv]);
    }

    setTarget({ q, qd }) {
        this.#both(this.#sinew.module._sn_world_set_target, q, qd, [this.model.nq, this.model.nv]);
    }

    setGains({ kp, kd }) {
        this.#both(this.#sinew.module._sn_world_set_gains, kp, kd, [this.model.nv, this.model.nv]);
    }

    get state() {
        return { q: this.get("q"), qd: this.get("qd") };
    }

    /* Pushes a body with a force (N) and a torque (N m) in world axes, for some seconds. */
    push(body, force, seconds, torque = null) {
        this.world.check(this.#sinew.lend([force, torque], (f, t) => this.#sinew.module._sn_world_push(this.world.pointer, this.handle, this.model.body(body), f, t, seconds)));
    }

    #field(name) {
        const field = fields.indexOf(name);
        if (field < 0) throw new SinewError("argument", `there is no field "${name}"; there are ${fields.join(", ")}`);
        return field;
    }

    #size(field) {
        return this.#sinew.module._sn_world_size(this.world.pointer, this.handle, field);
    }

    /* The values of a field in copies first .. first + count - 1. */
    get(name, first = 0, count = 1) {
        const field = this.#field(name), m = this.#sinew.module;
        return this.#sinew.borrow(count * this.#size(field), (p) => this.world.check(m._sn_world_get(this.world.pointer, this.handle, field, first, count, p)));
    }

    set(name, values, first = 0, count = 1) {
        const field = this.#field(name), m = this.#sinew.module, size = count * this.#size(field);
        if (values.length !== size) throw new SinewError("argument", `${name}: ${values.length} values where ${size} are needed`);
        this.world.check(this.#sinew.lend([values], (p) => m._sn_world_set(this.world.pointer, this.handle, field, first, count, p)));
    }

    /* [copies * nbody * 7] position xyz and quaternion wxyz of each body: a view of the module's memory, which is valid until
       the next call. */
    get poses() {
        const m = this.#sinew.module, { copies } = this.world, count = 7 * this.model.nbody * copies;
        this.#room ||= m._malloc(8 * count);
        this.#poses ||= m._malloc(4 * count);
        this.world.check(m._pack_world_poses(this.world.pointer, this.handle, copies, this.#room, this.#poses));
        return m.HEAPF32.subarray(this.#poses >> 2, (this.#poses >> 2) + count);
    }

    drop() {
        const m = this.#sinew.module;
        m._free(this.#room);
        m._free(this.#poses);
        this.#room = this.#poses = 0;
    }
}
