/* The npm package, as its users have it: packed, installed into an empty project of node and into one of Vite, and run there.
 * usage: node tests/web/npm.test.mjs [WORD ...]   only tests whose names have one of the words
 *   SINEW_WEB     the WebAssembly build (default build/web)
 *   SINEW_STRICT  the native strict build (default build/strict), for one hash; without it that is left out */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { complaints, launch, quietPage, requireBrowser, runTests, serve, skip, top } from "./browser.mjs";

const web = resolve(process.env.SINEW_WEB ?? join(top, "build/web")), tools = join(top, "web/node_modules");
const strict = resolve(process.env.SINEW_STRICT ?? join(top, "build/strict"));
if (!existsSync(join(web, "sinew.wasm"))) skip("npm", "there is no WebAssembly build (scripts/wasm.sh)");
if (!existsSync(join(tools, "vite"))) skip("npm", "vite is not here (scripts/web.sh test)");
const said = execFileSync(join(top, "scripts/npm.sh"), [web], { encoding: "utf8" });
if (/skipped/.test(said)) skip("npm", said.trim());
console.log(said.trim());
const archive = join(top, "build/npm", readdirSync(join(top, "build/npm")).find((name) => name.endsWith(".tgz")));

/* An empty project that has nothing but the package. */
const room = mkdtempSync(join(tmpdir(), "sinew-npm-"));
function project(name) {
    const folder = join(room, name);
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, type: "module" }));
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--legacy-peer-deps", "--loglevel=error", archive], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    return folder;
}
const run = (folder, text) => {
    writeFileSync(join(folder, "main.mjs"), text);
    return execFileSync(process.execPath, ["main.mjs"], { cwd: folder, encoding: "utf8" }).trim();
};

/* Stands, is pushed, and stands again: 480 steps. */
const scene = `
function golden(sinew) {
    const world = sinew.world({ dt: 1 / 240 }), human = world.add(sinew.model("humanoid"));
    world.addFloor();
    human.hold({ kp: 1000, kd: 100 });
    world.step(240);
    human.push(0, [150, 0, 0], 0.1);
    world.step(240);
    return world.hash();
}`;
const goldenC = `#include <sinew/sinew.h>
#include <stdio.h>
int main(void) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world *world = sn_world_create(NULL, NULL);
    sn_member human = sn_world_add(world, model, NULL);
    sn_world_add_floor(world);
    sn_world_hold(world, human, 1000, 100);
    for (int i = 0; i < 480; i++) {
        if (i == 240) sn_world_push(world, human, 0, (double[]){150, 0, 0}, NULL, 0.1);
        sn_world_step(world);
    }
    printf("%016llx", (unsigned long long)sn_world_hash(world));
}`;

const hashes = {};
const failed = await runTests("npm", [
    ["in node: the README's program, memory, errors, snapshots", () => {
        const folder = project("in-node"), readme = readFileSync(join(top, "npm/README.md"), "utf8").match(/```js\n(import loadSinew[^`]*)```/)[1];
        assert.match(run(folder, readme), /^Float32Array\(3\)/);
        hashes.node = run(folder, `import loadSinew from "sinew"; ${scene} console.log(golden(await loadSinew()));`);
        assert.match(hashes.node, /^[0-9a-f]{16}$/);
        assert.equal(run(folder, `import loadSinew from "sinew/inline"; ${scene} console.log(golden(await loadSinew()));`), hashes.node);
        run(folder, `
import assert from "node:assert/strict";
import loadSinew, { SinewError } from "sinew";
const sinew = await loadSinew(), is = (status, message) => (error) => error instanceof SinewError && error.status === status && message.test(error.message);
assert.throws(() => sinew.model("unicorn"), is("argument", /unicorn/));
assert.throws(() => sinew.world({ dt: -1 }), is("argument", /dt/));
assert.throws(() => sinew.world({ unheard: 1 }), is("format", /unheard/));
assert.throws(() => sinew.loadModel({ "a.xml": "<mujoco>" }, "a.xml"), is("format", /a\\.xml/));
assert.throws(() => sinew.loadModel({ "../a.xml": "" }, "../a.xml"), is("argument", /name of a file/));
const arm = sinew.loadModel({ "arm.xml": "<mujoco><worldbody><body name='upper' pos='0 0 1'><joint type='hinge' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -0.5' size='0.05'/></body></worldbody></mujoco>" }, "arm.xml");
assert.deepEqual([arm.nbody, arm.nv, arm.bodies], [1, 1, ["upper"]]);
const world = sinew.world({ copies: 2, contact: "rows" }), model = sinew.model("humanoid"), human = world.add(model), motion = sinew.motion("walk", model);
world.addFloor();
assert.throws(() => human.get("length"), is("argument", /there is no field/));
assert.throws(() => human.setState({ q: [1, 2] }), is("argument", /2 values where/));
assert.throws(() => human.setGains({ kp: new Float64Array(model.nv).fill(-1) }), is("argument", /./));
assert.throws(() => human.push("tail", [0, 0, 1], 1), is("argument", /tail/));
human.hold();
human.set("gravity", [0, 0, -1, 0, 0, -9.81], 0, 2);
world.step(30);
const snapshot = world.snapshot(), before = world.hash();
world.step(30);
const after = world.hash();
assert.notEqual(after, before);
world.restore(snapshot);
assert.equal(world.hash(), before);
world.step(30);
assert.equal(world.hash(), after);
assert.throws(() => world.restore(snapshot.subarray(1)), SinewError);
assert.equal(human.poses.length, 2 * 7 * model.nbody);
assert.ok(Math.abs(human.poses[2] - human.get("body_pose")[2]) < 1e-6);
const touching = world.contacts(-1);
assert.ok(touching.length > 0 && touching.every((c) => c.members.includes(human) && c.members.includes(null)));
const weight = touching.filter((c) => c.copy === 1).reduce((sum, c) => sum + c.force[2], 0);
assert.ok(Math.abs(weight - model.mass * 9.81) < 0.1 * weight, String(weight));
human.follow(motion);
world.step(10);
assert.ok(motion.duration > 0.5 && motion.sample(0).q.length === model.nq);
model.free(); /* the world keeps it */
world.step();
const { module } = sinew, held = () => module.HEAPU8.length;
world.free();
assert.throws(() => world.step(), is("argument", /has been freed/));
motion.free();
const size = held();
for (let i = 0; i < 300; i++) {
    const m = sinew.model("humanoid"), w = sinew.world(), h = w.add(m);
    h.poses, w.contacts(), w.snapshot();
    i % 2 ? (w.free(), m.free()) : (m.free(), w.free());
}
assert.equal(held(), size);
`);
    }],
    ["in node: a puppet goes where the stick says, is rolled back, and is let go", () => {
        run(project("steers"), `
import assert from "node:assert/strict";
import loadSinew from "sinew";
import { policyBytes } from "sinew/policies";
const sinew = await loadSinew(), is = (message) => (error) => error.name === "SinewError" && message.test(error.message);
const go = sinew.policy(await policyBytes("humanoid-stick")), getUp = sinew.policy(await policyBytes("humanoid-get-up"));
await assert.rejects(policyBytes("../secret"), is(/there is no policy/));
const world = sinew.world({ dt: 1 / 240 }), human = world.add(sinew.model("humanoid"));
world.addFloor();
human.hold();
const puppet = human.drive(go, { getUp });
assert.throws(() => human.drive(go), is(/has a puppet already/));
puppet.stick = { ahead: 1.2 };
assert.deepEqual(puppet.stick, { ahead: 1.2, left: 0, turn: 0 });
world.step(480);
assert.ok(human.state.q[0] > 1 && puppet.mode === "goes" && puppet.planned.ahead > 1 && puppet.reference.length === human.model.nq);
const snapshot = world.snapshot(), state = puppet.state;
world.step(60);
const hash = world.hash();
world.restore(snapshot);
puppet.state = state;
world.step(60);
assert.equal(world.hash(), hash);
assert.throws(() => (puppet.state = state.subarray(1)), is(/bytes where/));
go.free(); /* the puppet keeps it */
puppet.letGo();
world.step(720);
assert.equal(puppet.mode, "limp");
assert.ok(human.state.q[2] < 0.6);
const other = await loadSinew(), foreign = other.policy(getUp.bytes), dog = world.add(sinew.model("dog"));
assert.throws(() => human.drive(foreign), is(/another module/));
assert.throws(() => dog.drive(getUp), is(/./));
puppet.free();
assert.throws(() => puppet.mode, is(/has been freed/));
world.step();
world.free();
getUp.free();`);
    }],
    ["the golden scene has the hash of the native strict build", () => {
        const library = join(strict, "libsinew.a");
        if (!existsSync(library)) return console.log("  there is no native strict build (make strict)");
        const libraries = readFileSync(join(strict, "sinew.pc"), "utf8").match(/-l\S+/g).filter((flag) => flag !== "-lsinew");
        writeFileSync(join(room, "golden.c"), goldenC);
        execFileSync(process.env.CC ?? "cc", ["-std=gnu17", "-ffp-contract=off", "-I", join(top, "include"), join(room, "golden.c"), library, ...new Set(libraries), "-lm", "-lpthread", "-o", join(room, "golden")]);
        assert.equal(execFileSync(join(room, "golden"), { encoding: "utf8" }), hashes.node);
    }],
    ["in node: a policy is learned, acts, and is refused when it is damaged", () => {
        const out = run(project("learns"), `
import assert from "node:assert/strict";
import { Trainer, parsePolicy } from "sinew/learn";
const trainer = new Trainer({ seed: 1, iterations: 2 });
await assert.rejects(trainer.policy(), /nothing has been learned/);
let last;
for await (const progress of trainer) last = progress;
const policy = await trainer.policy();
assert.deepEqual([last.iterations, policy.recipe.iterations, policy.hash], [2, 2, last.hash]);
const action = policy.act(new Float32Array(2 * policy.observations));
assert.equal(action.length, 2 * policy.actions);
assert.deepEqual(action.slice(policy.actions), action.slice(0, policy.actions));
assert.throws(() => policy.act([1, 2]), /multiples of/);
const again = await parsePolicy(policy.bytes);
assert.deepEqual(again.act(new Float32Array(policy.observations)), action.slice(policy.actions));
await assert.rejects(parsePolicy(policy.bytes.subarray(9)), { name: "SinewError" });
policy.free();
console.log(last.hash);`);
        hashes.policy = out;
        assert.match(out, /^[0-9a-f]{16}$/);
    }],
    ["the types are right for the README and wrong for mistakes", () => {
        const folder = project("typed"), good = readFileSync(join(top, "npm/README.md"), "utf8").match(/```js\n[^`]*```/g).map((block) => block.slice(6, -3));
        const imports = [...new Set(good.join("\n").match(/^import .*$/gm))].join("\n");
        const body = (list) => `{\n${list.join("\n").replace(/^import .*$/gm, "")}\n}`; /* one program, with a scope of its own */
        writeFileSync(join(folder, "good.mts"), `${imports}\nimport type { Contact } from "sinew";\nimport "sinew/view";\nimport inline from "sinew/inline";\n${body(good)}
const world = (await inline()).world({ contact: "rows", copies: 3 }); const contact: Contact | undefined = world.contacts()[0]; contact?.members[0]?.get("qd"); world.dt = 0.01;\n`);
        const bad = ['sinew.world({ contact: "sticky" })', "sinew.world({ copies: true })", 'sinew.model(3)', 'sinew.world().add(sinew.model("humanoid")).drive("humanoid-stick")', 'sinew.world().add(sinew.model("dog")).get("mood")', "sinew.world().step(\"two\")"];
        bad.forEach((line, i) => writeFileSync(join(folder, `bad${i}.mts`), `import loadSinew from "sinew";\nconst sinew = await loadSinew();\n${line};\n`));
        const check = (file) => {
            try {
                execFileSync(join(tools, ".bin/tsc"), ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom,esnext.disposable", "--module", "nodenext", file], { cwd: folder, encoding: "utf8" });
                return "";
            } catch (error) {
                return error.stdout;
            }
        };
        assert.equal(check("good.mts"), "");
        bad.forEach((line, i) => assert.match(check(`bad${i}.mts`), /error TS/, line));
    }],
    ["in Vite: built, served from a sub-path, the same hashes with two workers", async () => {
        const chromium = await requireBrowser("npm", []), folder = project("in-vite");
        symlinkSync(join(tools, "three"), join(folder, "node_modules/three"));
        writeFileSync(join(folder, "index.html"), `<!doctype html><link rel="icon" href="data:,"><sinew-view model="dog" motion="trot" controls style="width:480px;height:320px"></sinew-view><script type="module" src="main.js"></script>`);
        writeFileSync(join(folder, "main.js"), `import loadSinew from "sinew"; import { Trainer } from "sinew/learn"; import "sinew/view"; ${scene}
const trainer = new Trainer({ seed: 1, iterations: 2, workers: 2 });
const work = async () => {
    const first = golden(await loadSinew());
    let policy;
    for await (const progress of trainer) policy = progress.hash;
    const view = document.querySelector("sinew-view");
    await view.ready;
    view.setAttribute("paused", "");
    return { first, policy, nbody: view.subject.nbody };
};
work().then((result) => (window.result = result), (error) => (window.result = { error: error.message }));`);
        writeFileSync(join(folder, "vite.config.js"), `export default { base: "./", logLevel: "warn", worker: { format: "es" }, build: { target: "es2022", chunkSizeWarningLimit: 4000 } };`);
        execFileSync(process.execPath, [join(tools, "vite/bin/vite.js"), "build"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
        const server = await serve(join(folder, "dist"), "/below/here/"), browser = await launch(chromium);
        const page = await quietPage(browser, {}, (url) => /^(data|blob):/.test(url) || url.startsWith(server.base));
        await page.goto(server.base);
        await page.waitForFunction(() => window.result, null, { timeout: 240000 });
        assert.deepEqual(await page.evaluate(() => window.result), { first: hashes.node, policy: hashes.policy, nbody: 23 });
        assert.deepEqual(complaints(page), []);
        await browser.close();
        server.close();
    }],
]);
rmSync(room, { recursive: true });
process.exit(failed ? 1 : 0);
