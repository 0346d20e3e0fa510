/* A pile of ragdolls in WebAssembly, in node: Sinew, Rapier and Jolt on the same bodies, joints and steps. Prints one JSON
 * object: milliseconds per step, by the core's own clock, and what is left undone: how far the ends of joints are apart, how
 * deep bodies are below the ground, and how deep in each other. All three are measured here, from positions alone.
 *
 *   usage: node bench/piles.mjs SINEW MODULES [--dolls N] [--seconds S] [--only NAME]
 *     SINEW    folder of the unpacked npm package (build/npm/package, made by `make npm`)
 *     MODULES  a folder in which npm has put @dimforge/rapier3d-compat and jolt-physics; what is not there is left out
 *
 * A ragdoll has ten capsules of 1,000 kg/m^3 and nine ball joints without limits; neighbours do not collide. Dolls fall in
 * fours onto the plane z = 0, friction 0.5. Every engine has its own defaults: Rapier 4 iterations, Jolt 10 and 2,
 * Sinew the setting for games. Bodies may fall asleep in all of them. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [, , sinewFolder, modules, ...rest] = process.argv;
const option = (name, otherwise) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : otherwise);
const count = Number(option("--dolls", 20)), seconds = Number(option("--seconds", 5)), only = option("--only", "");
if (!sinewFolder || !modules || !(count > 0) || !(seconds > 0)) {
    console.error("usage: node bench/piles.mjs SINEW MODULES [--dolls N] [--seconds S] [--only NAME]");
    process.exit(2);
}

/* Name, axis, half length, radius, centre; parent and joint. */
const bodies = [
    { axis: 2, half: 0.15, radius: 0.12, at: [0, 0, 1.2], parent: -1 },
    { axis: 2, half: 0.02, radius: 0.1, at: [0, 0, 1.56], parent: 0, joint: [0, 0, 1.42] },
];
for (const side of [1, -1]) {
    const arm = bodies.push({ axis: 1, half: 0.1, radius: 0.05, at: [0, 0.31 * side, 1.33], parent: 0, joint: [0, 0.17 * side, 1.33] }) - 1;
    bodies.push({ axis: 1, half: 0.1, radius: 0.04, at: [0, 0.57 * side, 1.33], parent: arm, joint: [0, 0.44 * side, 1.33] });
    const leg = bodies.push({ axis: 2, half: 0.15, radius: 0.07, at: [0, 0.1 * side, 0.78], parent: 0, joint: [0, 0.1 * side, 1] }) - 1;
    bodies.push({ axis: 2, half: 0.15, radius: 0.055, at: [0, 0.1 * side, 0.36], parent: leg, joint: [0, 0.1 * side, 0.57] });
}
const unit = (axis) => [0, 1, 2].map((k) => (k === axis ? 1 : 0));
/* Four abreast, and the next four above them, a little to the side. */
const shift = (k) => [0.35 * ((k % 4) - 1.5) + 0.12 * (Math.floor(k / 4) % 2), 0.05 * (k % 3), 0.3 + 1.9 * Math.floor(k / 4)];
const plus = (a, b, s = 1) => a.map((x, i) => x + s * b[i]);
const minus = (a, b) => plus(a, b, -1);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/* (w, x, y, z) */
const rotate = ([w, x, y, z], v) => {
    const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
};

/* ---------------------------------------------------------------------------------------------------- engines */

/* Each: step(), and pose(doll, body), centre and orientation of a body whose capsule lay along its axis at first. */
async function makeSinew(dt) {
    const { default: load } = await import(pathToFileURL(path.resolve(sinewFolder, "index.js")));
    const sinew = await load();
    const write = (i) => {
        const b = bodies[i], from = b.parent < 0 ? [0, 0, 0] : bodies[b.parent].at;
        const end = unit(b.axis).map((x) => b.half * x), list = (v) => v.join(" ");
        const joint = b.parent < 0 ? "<freejoint/>" : `<joint type="ball" pos="${list(minus(b.joint, b.at))}"/>`;
        const inner = bodies.map((c, k) => (c.parent === i ? write(k) : "")).join("");
        return `<body name="b${i}" pos="${list(minus(b.at, from))}">${joint}<geom type="capsule" size="${b.radius}" fromto="${list(end.map((x) => -x))} ${list(end)}" friction="0.5"/>${inner}</body>`;
    };
    const doll = sinew.loadModel({ "doll.xml": `<mujoco><worldbody>${write(0)}</worldbody></mujoco>` }, "doll.xml");
    const world = sinew.world({ dt, setting: "game", self_contact: true, report_contacts: false, sleep: 0.1, precision: "float" });
    world.addFloor();
    const dolls = [];
    for (let k = 0; k < count; k++) {
        const member = world.add(doll), q = Array.from(doll.home);
        for (let i = 0; i < 3; i++) q[i] = bodies[0].at[i] + shift(k)[i];
        member.setState({ q, qd: new Array(doll.nv).fill(0) });
        dolls.push(member);
    }
    const place = bodies.map((_, i) => doll.body(`b${i}`));
    let seen = [];
    return {
        version: sinew.version,
        step: () => world.step(1),
        look: () => (seen = dolls.map((m) => Float32Array.from(m.poses))),
        pose: (k, i) => [Array.from(seen[k].subarray(7 * place[i], 7 * place[i] + 3)), Array.from(seen[k].subarray(7 * place[i] + 3, 7 * place[i] + 7))],
    };
}

async function makeRapier(dt) {
    const folder = path.resolve(modules, "@dimforge/rapier3d-compat"), about = JSON.parse(fs.readFileSync(path.join(folder, "package.json")));
    const { default: R } = await import(pathToFileURL(path.join(folder, about.module ?? about.main)));
    await R.init();
    const world = new R.World({ x: 0, y: 0, z: -9.81 });
    world.timestep = dt;
    world.createCollider(R.ColliderDesc.cuboid(100, 100, 1).setTranslation(0, 0, -1).setFriction(0.5));
    const dolls = [], vector = ([x, y, z]) => ({ x, y, z });
    /* A capsule of Rapier lies along y. */
    const turned = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };
    for (let k = 0; k < count; k++) {
        const made = [];
        bodies.forEach((b, i) => {
            const body = world.createRigidBody(R.RigidBodyDesc.dynamic().setTranslation(...plus(b.at, shift(k))));
            const shape = R.ColliderDesc.capsule(b.half, b.radius).setDensity(1000).setFriction(0.5);
            world.createCollider(b.axis === 2 ? shape.setRotation(turned) : shape, body);
            made.push(body);
            if (b.parent < 0) return;
            const data = R.JointData.spherical(vector(minus(b.joint, bodies[b.parent].at)), vector(minus(b.joint, b.at)));
            world.createImpulseJoint(data, made[b.parent], body, true).setContactsEnabled(false);
        });
        dolls.push(made);
    }
    return {
        version: R.version(),
        step: () => world.step(),
        look: () => {},
        pose: (k, i) => {
            const t = dolls[k][i].translation(), r = dolls[k][i].rotation();
            return [[t.x, t.y, t.z], [r.w, r.x, r.y, r.z]];
        },
    };
}

async function makeJolt(dt) {
    const folder = path.resolve(modules, "jolt-physics"), about = JSON.parse(fs.readFileSync(path.join(folder, "package.json")));
    const { default: init } = await import(pathToFileURL(path.join(folder, "dist/jolt-physics.wasm-compat.js")));
    const J = await init(), settings = new J.JoltSettings();
    const pairs = new J.ObjectLayerPairFilterTable(2), layers = new J.BroadPhaseLayerInterfaceTable(2, 2);
    pairs.EnableCollision(0, 1), pairs.EnableCollision(1, 1);
    layers.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0)), layers.MapObjectToBroadPhaseLayer(1, new J.BroadPhaseLayer(1));
    settings.mObjectLayerPairFilter = pairs, settings.mBroadPhaseLayerInterface = layers;
    settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
    const jolt = new J.JoltInterface(settings), system = jolt.GetPhysicsSystem(), all = system.GetBodyInterface();
    system.SetGravity(new J.Vec3(0, 0, -9.81));
    const still = new J.Quat(0, 0, 0, 1), ground = new J.BodyCreationSettings(new J.BoxShape(new J.Vec3(100, 100, 1)), new J.RVec3(0, 0, -1), still, J.EMotionType_Static, 0);
    ground.mFriction = 0.5;
    all.AddBody(all.CreateBody(ground).GetID(), J.EActivation_DontActivate);
    const dolls = [], turned = new J.Quat(Math.SQRT1_2, 0, 0, Math.SQRT1_2), filter = new J.GroupFilterTable(bodies.length);
    bodies.forEach((b, i) => b.parent >= 0 && filter.DisableCollision(b.parent, i));
    for (let k = 0; k < count; k++) {
        const made = [];
        bodies.forEach((b, i) => {
            let shape = new J.CapsuleShape(b.half, b.radius, null);
            if (b.axis === 2) shape = new J.RotatedTranslatedShapeSettings(new J.Vec3(0, 0, 0), turned, new J.CapsuleShapeSettings(b.half, b.radius)).Create().Get();
            const how = new J.BodyCreationSettings(shape, new J.RVec3(...plus(b.at, shift(k))), still, J.EMotionType_Dynamic, 1);
            how.mFriction = 0.5, how.mLinearDamping = how.mAngularDamping = 0;
            how.mCollisionGroup.SetGroupFilter(filter), how.mCollisionGroup.SetGroupID(k), how.mCollisionGroup.SetSubGroupID(i);
            const body = all.CreateBody(how);
            all.AddBody(body.GetID(), J.EActivation_Activate);
            made.push(body);
            if (b.parent < 0) return;
            const joint = new J.PointConstraintSettings(), where = plus(b.joint, shift(k));
            joint.mSpace = J.EConstraintSpace_WorldSpace;
            joint.mPoint1 = joint.mPoint2 = new J.RVec3(...where);
            system.AddConstraint(joint.Create(made[b.parent], body));
        });
        dolls.push(made);
    }
    return {
        version: about.version,
        step: () => jolt.Step(dt, 1),
        look: () => {},
        pose: (k, i) => {
            const t = dolls[k][i].GetPosition(), r = dolls[k][i].GetRotation();
            return [[t.GetX(), t.GetY(), t.GetZ()], [r.GetW(), r.GetX(), r.GetY(), r.GetZ()]];
        },
    };
}

/* ------------------------------------------------------------------------------------------------ measurements */

/* The distance of two segments p + s d, |s| <= h: exact for one of the ends or the inside of both. */
function distance(p, d, h, q, e, g) {
    const clamp = (x, most) => Math.max(-most, Math.min(most, x)), w = minus(p, q);
    const b = dot(d, e), u = dot(d, w), v = dot(e, w), inner = 1 - b * b;
    let s = inner > 1e-9 ? clamp((b * v - u) / inner, h) : 0;
    const t = clamp(b * s + v, g);
    s = clamp(b * t - u, h);
    return Math.hypot(...minus(plus(p, d, s), plus(q, e, t)));
}

/* What is left undone now; each at its worst, m. */
function look(engine, worst) {
    const all = [];
    engine.look();
    for (let k = 0; k < count; k++) {
        const poses = bodies.map((_, i) => engine.pose(k, i));
        bodies.forEach((b, i) => {
            const [at, turn] = poses[i], along = rotate(turn, unit(b.axis));
            worst.ground = Math.max(worst.ground, b.radius - at[2] + b.half * Math.abs(along[2]));
            all.push({ k, i, at, along, b });
            if (b.parent < 0) return;
            const [from, parentTurn] = poses[b.parent];
            const gap = minus(plus(at, rotate(turn, minus(b.joint, b.at))), plus(from, rotate(parentTurn, minus(b.joint, bodies[b.parent].at))));
            worst.joint = Math.max(worst.joint, Math.hypot(...gap));
        });
    }
    for (let i = 0; i < all.length; i++)
        for (let j = 0; j < i; j++) {
            const x = all[i], y = all[j], most = x.b.half + x.b.radius + y.b.half + y.b.radius;
            if (Math.abs(x.at[0] - y.at[0]) > most || Math.abs(x.at[1] - y.at[1]) > most || Math.abs(x.at[2] - y.at[2]) > most) continue;
            if (x.k === y.k && (x.b.parent === y.i || y.b.parent === x.i)) continue;
            worst.overlap = Math.max(worst.overlap, x.b.radius + y.b.radius - distance(x.at, x.along, x.b.half, y.at, y.along, y.b.half));
        }
}

async function measure(name, make, dt) {
    const engine = await make(dt), steps = Math.round(seconds / dt), second = Math.round(1 / dt), times = [];
    const worst = { joint: 0, ground: 0, overlap: 0 };
    look(engine, worst);
    if (worst.joint > 1e-5 || worst.ground > 0 || worst.overlap > 0) throw new Error("it does not start as it should");
    for (let i = 0; i < steps; i++) {
        const began = process.cpuUsage();
        engine.step();
        const spent = process.cpuUsage(began);
        times.push((spent.user + spent.system) / 1000);
        if (i % Math.max(1, Math.round(1 / 60 / dt)) === 0) look(engine, worst);
    }
    const sum = (list) => list.reduce((a, b) => a + b, 0), means = [];
    for (let i = 0; i + second <= steps; i += second) means.push(sum(times.slice(i, i + second)) / second);
    return { engine: `${name} ${engine.version}`, dolls: count, dt, ms: sum(times) / steps, ms_awake: means.length ? Math.max(...means) : sum(times) / steps,
        joint_mm: 1000 * worst.joint, ground_mm: 1000 * worst.ground, overlap_mm: 1000 * worst.overlap };
}

const engines = { Sinew: makeSinew, Rapier: makeRapier, Jolt: makeJolt }, rows = [];
for (const [name, make] of Object.entries(engines))
    for (const dt of [1 / 60, 1 / 240]) {
        if (only && only !== name) continue;
        try {
            rows.push(await measure(name, make, dt));
        } catch (error) {
            console.error(`piles: ${name} is left out: ${error.message ?? error}`);
            break;
        }
    }
console.log(JSON.stringify({ node: process.version, rows }, null, 1));
