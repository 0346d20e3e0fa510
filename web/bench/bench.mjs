/* Speed in the browser: Sinew's WebAssembly build against MuJoCo's own (npm @mujoco/mujoco) on the same humanoid, in one
 * run of Chromium, one thread each; and how many characters of a crowd run in real time.
 *
 * Prints one JSON object. MuJoCo is fetched into a folder of its own, the pages do not depend on it.
 *   usage: node web/bench/bench.mjs [FOLDER]    FOLDER: where scripts/web.sh and scripts/wasm.sh built (default build/web)
 *   SINEW_COMMAND   the sinew command, for the character in MJCF (default build/release/cli/sinew)
 *
 * Both follow the poses of the built-in run, no contact, gains of maba-2020, dt = 1/240, double: Sinew by stable PD in MABA,
 * MuJoCo by joint springs and joint damping, which its Euler integrator takes implicitly (the position term is explicit
 * in both). Then both stand on a plane, root free, kp = 1000, kd = 100: Sinew with contact inside MABA, MuJoCo with its
 * defaults (Newton, 1e-8) and with conjugate gradients ended at 1e-4. Times are microseconds per step, the least of several
 * runs. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const top = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const web = path.resolve(process.argv[2] ?? path.join(top, "build/web"));
const command = process.env.SINEW_COMMAND ?? path.join(top, "build/release/cli/sinew");
const peers = path.join(path.dirname(web), "mujoco-wasm");
const types = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html", ".xml": "text/xml" };

if (!fs.existsSync(path.join(peers, "node_modules/@mujoco/mujoco"))) {
    fs.mkdirSync(peers, { recursive: true });
    execFileSync("npm", ["install", "--prefix", peers, "--no-audit", "--no-fund", "--loglevel=error", "@mujoco/mujoco@3.14.0"], { stdio: ["ignore", "ignore", "inherit"] });
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "sinew-bench-")), file = path.join(folder, "humanoid.xml");
execFileSync(command, ["convert", "humanoid", file]);
const mjcf = fs.readFileSync(file, "utf8");
fs.rmSync(folder, { recursive: true });

const server = http.createServer((request, response) => {
    const name = new URL(request.url, "http://x").pathname;
    const from = name.startsWith("/mujoco/") ? path.join(peers, "node_modules/@mujoco", name) : path.join(web, name);
    if (name === "/blank.html") return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>bench</title>");
    if (name.includes("..") || !fs.existsSync(from)) return response.writeHead(name === "/favicon.ico" ? 204 : 404).end();
    response.writeHead(200, { "content-type": types[path.extname(from)] ?? "application/octet-stream" });
    fs.createReadStream(from).pipe(response);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const browser = await chromium.launch({ executablePath: process.env.SINEW_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/* Runs in the page. */
async function measure(xml) {
    const dt = 1 / 240, steps = 4000, rounds = 15, result = {};
    const best = (f) => {
        let least = Infinity;
        for (const began = performance.now(); performance.now() - began < 1500; ) f(); /* until the compiler has done its best */
        for (let i = 0; i < rounds; i++) {
            const began = performance.now();
            f();
            least = Math.min(least, performance.now() - began);
        }
        return (1000 * least) / steps;
    };
    const text = (m, s) => {
        const size = m.lengthBytesUTF8(s) + 1, p = m._malloc(size);
        m.stringToUTF8(s, p, size);
        return p;
    };

    const m = await (await import("/sinew.js")).default();
    const running = m._play_subject_create(text(m, "humanoid"), text(m, "run")), standing = m._play_subject_create(text(m, "humanoid"), text(m, ""));
    const sinew = (module, subject, precision, contact) =>
        best(() => {
            if (module._play_bench_steps(subject, precision, contact, dt, steps) !== steps) throw new Error("Sinew: a step failed");
        });
    result.sinew = { track: sinew(m, running, 0, 0), trackFloat: sinew(m, running, 1, 0), stand: sinew(m, standing, 0, 1) };
    const plain = await (await import("/sinew-plain.js")).default();
    result.sinewPlain = { track: sinew(plain, plain._play_subject_create(text(plain, "humanoid"), text(plain, "run")), 0, 0) };
    const targets = 64, size = m._trace_size(), p = m._malloc(8 * (targets + 1) * size);
    m._trace_targets(targets, dt, p);
    const rows = m.HEAPF64.slice(p >> 3, (p >> 3) + (targets + 1) * size);

    const mujoco = await (await import("/mujoco/mujoco.js")).default();
    const prepare = (source, gains) => {
        const model = mujoco.MjModel.from_xml_string(source), data = new mujoco.MjData(model);
        model.opt.timestep = dt;
        const stiffness = model.jnt_stiffness, damping = model.dof_damping;
        for (let j = 0; j < model.njnt; j++) stiffness[j] = j ? gains.kp : gains.rootKp;
        for (let v = 0; v < model.nv; v++) damping[v] = v < 6 ? gains.rootKd : gains.kd;
        return { model, data };
    };
    {
        const { model, data } = prepare(xml, { kp: 75000, kd: 4000, rootKp: 20000, rootKd: 2000 }), nq = model.nq;
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT.value | mujoco.mjtDisableBit.mjDSBL_LIMIT.value;
        const poses = Array.from({ length: targets }, (_, i) => rows.slice(i * size, i * size + nq));
        data.qpos.set(poses[0]);
        const spring = model.qpos_spring;
        result.mujoco = {
            track: best(() => {
                for (let i = 0; i < steps; i++) {
                    const turn = i % (2 * targets);
                    spring.set(poses[turn < targets ? turn : 2 * targets - 1 - turn]);
                    mujoco.mj_step(model, data);
                }
            }),
        };
        const last = (steps - 1) % (2 * targets); /* of the target of the last step: whether it follows at all */
        result.mujoco.offTarget = Math.max(...poses[last < targets ? last : 2 * targets - 1 - last].map((x, i) => Math.abs(x - data.qpos[i])));
    }
    {
        const plane = '<geom type="plane" size="50 50 1" friction="1"/>', at = xml.indexOf("<worldbody>") + "<worldbody>".length;
        const { model, data } = prepare(xml.slice(0, at) + plane + xml.slice(at), { kp: 1000, kd: 100, rootKp: 0, rootKd: 0 });
        const home = m._malloc(8 * size), scene = m._play_scene_create(standing, 1, 1, 0, 0, dt, 1, 0);
        m._play_scene_get_state(scene, home);
        const pose = m.HEAPF64.slice(home >> 3, (home >> 3) + model.nq);
        /* As in Sinew a character's own bodies pass through each other. */
        const types = model.geom_contype, affinities = model.geom_conaffinity;
        for (let g = 0; g < model.ngeom; g++) {
            types[g] = g ? 2 : 1;
            affinities[g] = g ? 1 : 2;
        }
        data.qpos.set(pose);
        model.qpos_spring.set(pose);
        result.mujoco.stand = best(() => {
            for (let i = 0; i < steps; i++) mujoco.mj_step(model, data);
        });
        /* Conjugate gradients, ended as early as Sinew's contact. */
        model.opt.solver = mujoco.mjtSolver.mjSOL_CG.value;
        model.opt.tolerance = 1e-4;
        result.mujoco.standCg = best(() => {
            for (let i = 0; i < steps; i++) mujoco.mj_step(model, data);
        });
        result.mujoco.contacts = data.ncon;
        result.mujoco.sank = pose[2] - data.qpos[2];
    }
    result.mujoco.version = mujoco.mj_versionString();

    /* Characters that run in real time at 60 Hz: a second of steps must take less than a second. */
    for (const [name, contact] of [["crowd", 2], ["crowdOnGround", 0]]) {
        const count = 5000, crowd = m._play_scene_create(running, count, 200, 0, contact, 1 / 60, 1, 0);
        m._play_scene_set_gains(crowd, 75000, 4000, 20000, 2000);
        let least = Infinity;
        for (let round = 0; round < 4; round++) {
            const began = performance.now();
            m._play_scene_step(crowd, 60);
            least = Math.min(least, performance.now() - began);
        }
        result[name] = { count, secondTakes: least / 1000, microseconds: (1000 * least) / 60 / count, realTime: Math.floor((count * 1000) / least), diverged: m._play_scene_diverged(crowd) };
        m._play_scene_free(crowd);
    }
    result.browser = navigator.userAgent.match(/Chrome\/[\d.]+/)?.[0];
    return result;
}

try {
    const page = await browser.newPage();
    page.on("console", (message) => message.type() === "error" && console.error(message.text()));
    await page.goto(`http://127.0.0.1:${server.address().port}/blank.html`);
    console.log(JSON.stringify(await page.evaluate(measure, mjcf), null, 2));
} finally {
    await browser.close();
    server.close();
}
