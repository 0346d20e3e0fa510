/* The playground in a real browser.
 * usage: node tests/web/play.test.mjs [WORD ...]   only tests whose names have one of the words
 *   SINEW_WEB    the built pages (default build/web; scripts/wasm.sh and scripts/web.sh play build them)
 *   SINEW_DATA   real files to drop (default ../shared/data); without them the test's own are dropped
 *   SINEW_SHOTS  where pictures go (default build/web/shots)
 * Drawing is by software here and slow: what is simulated is advanced without it, and no test looks at a clock. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { complaints, launch, quietPage, requireBrowser, runTests, serve, shots, top } from "./browser.mjs";

const web = resolve(process.env.SINEW_WEB ?? join(top, "build/web"));
const data = resolve(process.env.SINEW_DATA ?? join(top, "../shared/data"));
const chromium = await requireBrowser("play", [
    [join(web, "sinew.wasm"), "there is no WebAssembly build (scripts/wasm.sh)"],
    [join(web, "play/play.js"), "the page is not built (scripts/web.sh play)"],
]);
mkdirSync(shots, { recursive: true });

/* ------------------------------------------------------------------------------------------------------------ pages */

const server = await serve(web), base = new URL("play/", server.base).href;
const browser = await launch(chromium);

/* Not waitForFunction: it would need a policy that lets strings run as script. */
async function until(page, condition) {
    for (let tries = 0; tries < 1200; tries++) {
        if (await page.evaluate(condition)) return;
        await new Promise((done) => setTimeout(done, 100));
    }
    assert.fail(`never: ${condition}`);
}

async function open(address = "", options = {}) {
    const known = (url) => /^(data|blob):/.test(url) || url.startsWith(server.base);
    const page = await quietPage(browser, { viewport: { width: 900, height: 640 }, deviceScaleFactor: 0.5, ...options }, known);
    page.setDefaultTimeout(120000);
    await page.goto(base + address);
    await until(page, () => globalThis.sinew?.shown);
    await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
    return page;
}

async function close(page) {
    assert.deepEqual(complaints(page), []);
    await page.context().close();
}

const advance = (page, seconds) => page.evaluate((s) => sinew.advance(s), seconds);
const pause = (page) => page.evaluate(() => sinew.running && sinew.toggle());
const openPaused = async () => {
    const page = await open();
    await pause(page);
    return page;
};
const settings = (page) => page.evaluate(() => sinew.settings);
const visible = (page, selector) => page.locator(selector).isVisible();
const frames = (page, n = 2) => page.evaluate((count) => new Promise((done) => { const next = () => (count-- ? requestAnimationFrame(next) : done()); next(); }), n);

/* files: [name, text]. As if they came from the desktop. */
async function drop(page, ...files) {
    const transfer = await page.evaluateHandle((list) => {
        const t = new DataTransfer();
        for (const [name, text] of list) t.items.add(new File([text], name));
        return t;
    }, files);
    await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
    assert.ok(await visible(page, "#drop"));
    await page.evaluate(() => (sinew.opened = null));
    await page.evaluate(() => { const open = sinew.open; sinew.open = async (f) => { await open.call(sinew, f); sinew.opened = true; sinew.open = open; }; });
    await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
    await until(page, () => sinew.opened);
}

const real = (name, otherwise) => (existsSync(join(data, name)) ? [basename(name), readFileSync(join(data, name), "utf8")] : otherwise);

/* ------------------------------------------------------------------------------------------------------------ files */

const ownBvh = ["wave.bvh", `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 40 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Arm
    {
      OFFSET 20 0 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 30 0 0
      }
    }
  }
}
MOTION
Frames: 4
Frame Time: 0.25
0 90 0 0 0 0 0 0 0 0 0 0
0 90 0 0 0 0 0 0 0 40 0 0
0 90 0 0 0 0 0 0 0 -20 0 0
0 90 0 0 0 0 0 0 0 0 0 0
`];
const ownMjcf = ["arm.xml", `<mujoco><worldbody><body name="upper" pos="0 0 1.5"><joint type="hinge" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.05"/><body name="lower" pos="0 0 -0.5"><joint type="hinge" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.04"/></body></body></worldbody></mujoco>`];
const ownMesh = ["block.xml", `<mujoco><asset><mesh file="meshes/block.obj"/></asset><worldbody><body name="block" pos="0 0 0.5"><freejoint/>
<geom type="mesh" mesh="block"/><body name="top" pos="0 0 0.2"><joint type="hinge" axis="0 1 0"/><geom type="mesh" mesh="block" pos="0 0 0.2"/></body></body></worldbody></mujoco>`];
const ownObj = ["block.obj", [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `v ${i & 1 ? 0.2 : -0.2} ${i & 2 ? 0.15 : -0.15} ${i & 4 ? 0.1 : -0.1}\n`).join("") +
    "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"];
const ownUrdf = ["leg.urdf", `<robot name="leg"><link name="base"><inertial><mass value="2"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
<link name="shin"><inertial><origin xyz="0 0 -0.15"/><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="0 0 -0.15"/><geometry><cylinder radius="0.03" length="0.3"/></geometry></collision></link>
<joint name="knee" type="revolute"><parent link="base"/><child link="shin"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="50" velocity="5"/></joint></robot>`];

/* ------------------------------------------------------------------------------------------------------------ tests */

const tests = [];
const test = (name, run) => tests.push([name, run]);

test("script and WebAssembly are less than 1.1 MB, compressed", async () => {
    const size = (names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(join(web, name)), { level: 9 }).length, 0);
    const page = ["play/index.html", "style.css", "play/play.css", "play/play.js"], simd = size([...page, "sinew.js", "sinew.wasm"]);
    const plain = existsSync(join(web, "sinew-plain.wasm")) ? size([...page, "sinew-plain.js", "sinew-plain.wasm"]) : 0;
    console.log(`  with SIMD ${simd} bytes, without ${plain}`);
    assert.ok(simd < 1.1e6);
});

test("the page opens without noise and the character tracks", async () => {
    const page = await open();
    const { shown, times } = await page.evaluate(() => ({ shown: sinew.shown, times: sinew.times }));
    console.log(`  first picture after ${Math.round(shown)} ms (stage ${Math.round(times.stage)}, engine ${Math.round(times.engine)}, bodies ${Math.round(times.begin)})`);
    await pause(page);
    const stats = await advance(page, 2);
    assert.ok(stats.time >= 2 && !stats.diverged[0]);
    assert.ok(stats.error > 1e-5 && stats.error < 0.02, `error ${stats.error} m`);
    assert.match(await page.textContent("#fine"), /13 bodies, 34 degrees of freedom.*SIMD/);
    await close(page);
});

test("every built-in character and motion tracks", async () => {
    const page = await openPaused();
    for (const model of await page.locator("#model option").evaluateAll((all) => all.map((o) => o.value))) {
        await page.selectOption("#model", model);
        for (const motion of await page.locator("#motion option").evaluateAll((all) => all.map((o) => o.value))) {
            await page.selectOption("#motion", motion);
            const stats = await advance(page, 0.5);
            assert.equal(await visible(page, "#message"), false, await page.textContent("#message"));
            /* the mouse's ghost is a spline, with a rigid tail */
            assert.ok(!stats.diverged[0] && (motion === "keyframes" || stats.error < 0.06), `${model} ${motion}: ${stats.error} m`);
        }
    }
    await close(page);
});

test("PD at high gains diverges, says so, stands still, and recovers on reset", async () => {
    const page = await openPaused();
    await page.click('[data-form="explicit"]');
    await advance(page, 1);
    assert.ok(await visible(page, "#view-a .verdict"));
    assert.match(await page.textContent("#view-a .verdict"), /PD diverged/);
    const pose = () => page.evaluate(() => Array.from(sinew.views[0].scene.state));
    const before = await pose();
    assert.ok(before.every(Number.isFinite));
    await advance(page, 0.5);
    assert.deepEqual(await pose(), before);
    await frames(page);
    await page.screenshot({ path: join(shots, "play-diverged.png") });
    await page.click('[data-form="stable"]');
    await page.click("#reset");
    const stats = await advance(page, 2);
    assert.equal(await visible(page, "#view-a .verdict"), false);
    assert.ok(!stats.diverged[0] && stats.error < 0.02);
    await page.click('[data-form="explicit"]'); /* its own button works as well */
    await page.click("#reset");
    await advance(page, 0.5);
    await page.evaluate(() => sinew.set({ kp: 30, kd: 1, root: false }));
    await page.click("#view-a .verdict button");
    await page.evaluate(() => sinew.setRate(960));
    assert.ok(!(await advance(page, 0.5)).diverged[0]);
    await close(page);
});

test("the scenes are cards: the chosen one is marked until a knob is turned, a link opens one", async () => {
    const page = await open("#scene=compare");
    await pause(page);
    const marked = () => page.locator("[data-scenery][aria-pressed=true]").evaluateAll((all) => all.map((button) => button.dataset.scenery));
    assert.deepEqual(await marked(), ["compare"]);
    assert.equal(await page.evaluate(() => sinew.speed), 0.1);
    assert.deepEqual((await advance(page, 0.1)).diverged, [false, false], "there is nothing to see before PD blows up");
    await frames(page, 2);
    await page.screenshot({ path: join(shots, "play-compare.png") });
    assert.deepEqual((await advance(page, 1.5)).diverged, [true, false]);
    await page.click("[data-scenery=ragdoll]");
    assert.deepEqual(await marked(), ["ragdoll"]);
    assert.equal(await page.evaluate(() => sinew.speed), 1);
    assert.equal((await settings(page)).view, "single");
    await page.click("[data-preset=soft]");
    assert.deepEqual(await marked(), []);
    await page.click("[data-scenery=crowd]");
    assert.deepEqual(await marked(), ["crowd"]);
    assert.equal((await settings(page)).view, "crowd");
    await page.click("[data-scenery=run]");
    assert.deepEqual(await marked(), ["run"]);
    assert.ok((await advance(page, 1)).error < 0.02);
    await close(page);
});

test("the ghost stands beside the character, keys turn the camera, and reduced motion waits", async () => {
    const page = await open("", { reducedMotion: "reduce" });
    assert.equal(await page.evaluate(() => sinew.running), false);
    await page.click("#ghost");
    await frames(page, 3);
    assert.ok(await page.evaluate(() => sinew.views[0].stage.characters.get(sinew.views[0].ghost).group.position.y > 0.5));
    const azimuth = () => page.evaluate(() => { const { camera, controls } = sinew.views[0].stage; return Math.atan2(camera.position.y - controls.target.y, camera.position.x - controls.target.x); });
    const before = await azimuth();
    await page.keyboard.press("ArrowRight");
    assert.ok(Math.abs((await azimuth()) - before - 0.12) < 1e-3);
    await close(page);
});

test("targets are 44 px on a touch screen, and text has a contrast of 4.5", async () => {
    for (const colorScheme of ["light", "dark"]) {
        const page = await open("", { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme });
        await pause(page);
        const small = await page.evaluate(() => [...document.querySelectorAll("button, select, summary")].filter((node) => node.offsetParent).map((node) => [node.textContent.trim().slice(0, 20), Math.round(node.getBoundingClientRect().height)]).filter(([, height]) => height < 44));
        assert.deepEqual(small, []);
        const faint = await page.evaluate(() => {
            const value = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
            const light = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
            const contrast = ([a, b]) => { const [x, y] = [light(value(a)), light(value(b))].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
            const pairs = [["--ink", "--page"], ["--soft", "--page"], ["--faint", "--page"], ["--faint", "--card"], ["--soft", "--card"], ["--accent-ink", "--accent"], ["--bad", "--bad-back"], ["--good", "--good-back"]];
            return pairs.map((pair) => [pair.join(), contrast(pair)]).filter(([, c]) => c < 4.5);
        });
        assert.deepEqual(faint, []);
        await close(page);
    }
});

test("the split view shows PD diverge and stable PD track, same settings", async () => {
    const page = await openPaused();
    await page.click('[data-view="split"]');
    const stats = await advance(page, 2);
    assert.deepEqual(stats.diverged, [true, false]);
    assert.ok(await visible(page, "#view-a .verdict"));
    assert.equal(await visible(page, "#view-b .verdict"), false);
    await frames(page, 4);
    await page.screenshot({ path: join(shots, "play-split.png") });
    await page.click('[data-view="single"]');
    assert.equal(await page.locator("#view-b").count(), 0);
    assert.ok(!(await advance(page, 1)).diverged[0]);
    await close(page);
});

test("all implicit forms agree on a soft character in small steps, and the ways of contact on one that stands", async () => {
    const page = await open("#kp=300&kd=30&rate=960&contact=none&root=true");
    await pause(page);
    const errors = [], heights = [];
    for (const form of ["implicit-d", "stable", "full"]) { /* explicit PD shakes its hands at these gains */
        await page.click(`[data-form="${form}"]`);
        await page.click("#reset");
        errors.push((await advance(page, 1)).error);
    }
    for (const error of errors) assert.ok(Math.abs(error - errors[0]) < 0.1 * errors[0], errors.join(" "));
    assert.ok(errors[0] > 1e-3);
    await page.evaluate(() => sinew.set({ kp: 3000, kd: 300, root: false, rate: 240 }, { restart: true }));
    await page.selectOption("#motion", "");
    for (const contact of ["implicit", "rows"]) {
        await page.selectOption("#contact", contact);
        await page.click("#reset");
        await advance(page, 0.5);
        heights.push(await page.evaluate(() => sinew.views[0].scene.state[2]));
    }
    assert.ok(Math.abs(heights[0] - heights[1]) < 0.005 && heights[0] > 0.7, heights.join(" "));
    await page.click("#push");
    await page.keyboard.press("b");
    await advance(page, 0.1);
    await close(page);
});

for (const [kind, files, bodies, check] of [
    ["BVH", [real("cmu_mocap/02_01.bvh", ownBvh)], 2, (s, name) => s.model === name && s.motion === name],
    ["BVH of the test's own", [ownBvh], 2, (s, name) => s.model === name && s.motion === name],
    ["ASF and AMC", [real("fairmotion/11.asf", null), real("fairmotion/11_01.amc", null)], 10, (s, name) => s.model === name && s.motion === "11.asf+11_01.amc"],
    ["MJCF", [real("gymnasium/humanoid.xml", ownMjcf)], 2, (s, name) => s.model === name && s.motion === ""],
    ["MJCF of the test's own", [ownMjcf], 2, (s, name) => s.model === name],
    ["MJCF with its mesh", [ownMesh, ownObj], 2, (s, name) => s.model === name],
    ["URDF", [real("solo12/solo12.urdf", ownUrdf)], 2, (s, name) => s.model === name],
    ["URDF of the test's own", [ownUrdf], 2, (s, name) => s.model === name],
    ["DeepMimic motion", [real("deepmimic/motions/humanoid3d_walk.txt", null)], 10, (s, name) => s.model === "humanoid" && s.motion === name],
    ["DeepMimic character and motion", [real("deepmimic/characters/humanoid3d.txt", null), real("deepmimic/motions/humanoid3d_run.txt", null)], 10, (s, name) => s.model === name && s.motion !== ""],
])
    test(`dropping works: ${kind}`, async () => {
        if (files.includes(null)) return console.log("  no such data here");
        const page = await open();
        await pause(page);
        await drop(page, ...files);
        const now = await settings(page), text = await page.textContent("#message");
        assert.ok(check(now, files[0][0]), `${JSON.stringify(now)} ${text}`);
        assert.ok((await page.evaluate(() => sinew.subject.nbody)) >= bodies);
        if (files.includes(ownObj)) assert.deepEqual(await page.evaluate(() => sinew.subject.model.bodies.map((b) => b.shapes.map((s) => [s.type, s.faces.length, s.points.length]))), [[["hull", 6, 24]], [["hull", 6, 24]]]);
        const stats = await advance(page, 1);
        assert.ok(!stats.diverged[0] && stats.error < 0.1, `error ${stats.error} m`);
        await frames(page, 3);
        await page.screenshot({ path: join(shots, `play-drop-${kind.toLowerCase().replaceAll(/[^a-z]+/g, "-")}.png`) });
        await page.selectOption("#model", "humanoid"); /* and back */
        assert.ok((await advance(page, 0.5)).error < 0.05);
        if (kind === "BVH" && files[0] !== ownBvh) {
            await page.selectOption("#motion", files[0][0]); /* the clip carried over to another character */
            assert.equal(await visible(page, "#message"), false);
            assert.ok((await advance(page, 1)).error < 0.05);
            assert.equal((await settings(page)).model, "humanoid");
        }
        await close(page);
    });

test("a broken file shows the reader's message, and the run goes on", async () => {
    const page = await openPaused();
    for (const [file, named] of [
        [["broken.xml", "<mujoco><worldbody><body><geom type='sphere' size='x'/></body>"], /broken\.xml/],
        [["broken.bvh", ownBvh[1].replace("OFFSET 0 40 0", "OFFSET 0 forty 0")], /broken\.bvh/],
        [["broken.json", '{"a": '], /broken\.json/],
        [["nothing.txt", ""], /nothing\.txt/],
        [["noise.urdf", "\u0000\u0001<<<>>>"], /noise\.urdf/],
    ]) {
        await drop(page, file);
        assert.ok(await visible(page, "#message"), file[0]);
        assert.match(await page.textContent("#message"), named);
    }
    await frames(page);
    await page.screenshot({ path: join(shots, "play-broken.png") });
    assert.equal((await settings(page)).model, "humanoid");
    assert.ok((await advance(page, 1)).error < 0.02);
    await close(page);
});

test("the mouse pulls at a body, a ball hits, a push pushes", async () => {
    const page = await open("#kp=600&kd=40&motion=");
    await page.evaluate(() => (sinew.look.follow = false));
    await pause(page);
    await advance(page, 0.2);
    await frames(page, 3);
    /* Somewhere on the character. */
    const at = await page.evaluate(() => {
        const { canvas, stage, id } = sinew.views[0], box = canvas.getBoundingClientRect();
        for (let y = 0.2; y < 0.8; y += 0.02)
            for (let x = 0.3; x < 0.7; x += 0.02) {
                const px = box.left + x * box.width, py = box.top + y * box.height, hit = stage.pick(px, py);
                if (hit?.id === id && hit.body > 0) return [px, py];
            }
        return null;
    });
    assert.ok(at);
    await page.mouse.move(...at);
    await page.mouse.down();
    const before = await page.evaluate(() => sinew.views[0].scene.grip);
    assert.ok(before, "nothing is held");
    await page.mouse.move(at[0] + 60, at[1] - 40, { steps: 3 });
    await pause(page);
    await advance(page, 1);
    const held = await page.evaluate(() => [sinew.views[0].scene.grip, sinew.views[0].hand]);
    const way = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));
    assert.ok(way(held[0], before) > 0.02, "it does not come along");
    assert.ok(way(held[0], held[1]) < way(before, held[1]), "it does not come nearer to the hand");
    await frames(page, 2);
    await page.screenshot({ path: join(shots, "play-grab.png") });
    await page.mouse.up();
    assert.equal(await page.evaluate(() => sinew.views[0].scene.grip), null);

    await page.click("#ball");
    await pause(page);
    await advance(page, 0.01);
    assert.equal(await page.evaluate(() => sinew.views[0].scene.balls), 1);
    /* The same second without a ball and with one, thrown at the same place of the body. */
    const worst = (ball) =>
        page.evaluate(([x, y, throws]) => {
            let most = 0;
            sinew.reset();
            if (throws) sinew.throwAt(sinew.views[0], x, y);
            for (let i = 0; i < 60; i++) most = Math.max(most, sinew.advance(1 / 60).error);
            return most;
        }, [...at, ball]);
    await page.click("#home");
    await frames(page, 3);
    const without = await worst(false), hit = await worst(true);
    assert.ok(hit > without + 0.005, `the ball moved it by ${hit} m, and nothing by ${without} m`);
    for (let i = 0; i < 20; i++) await page.keyboard.press("b"); /* more than there are */
    await page.keyboard.press("p");
    await advance(page, 0.5);
    await frames(page, 2);
    assert.equal(await page.evaluate(() => sinew.views[0].scene.balls), 12);
    await page.screenshot({ path: join(shots, "play-balls.png") });
    await close(page);
});

test("a walker that is hit gives way and comes back, and every scene runs", async () => {
    const page = await openPaused();
    await page.click("[data-scenery=hit]");
    const before = await advance(page, 1);
    assert.equal(before.gain, 1);
    const least = await page.evaluate(() => {
        const scene = sinew.views[0].scene, at = scene.state.slice(0, 3);
        let least = 1;
        scene.throwBall([at[0] + 0.25, at[1] + 1.3, at[2] + 0.35], [0, -10, 0.6]);
        for (let i = 0; i < 60; i++) {
            sinew.advance(1 / 120);
            least = Math.min(least, scene.gain);
        }
        return least;
    });
    assert.ok(least < 0.1, `gains stay at ${least}`);
    const after = await advance(page, 1.5);
    assert.ok(!after.diverged[0] && after.gain === 1 && after.error < 2 * before.error + 0.01, `${after.error} m after, ${before.error} m before`);
    assert.match(await page.evaluate(() => location.hash + JSON.stringify(sinew.settings)), /"react":true/);
    for (const name of ["kick", "pass", "catch", "mouse"]) {
        await page.click(`[data-scenery=${name}]`);
        const stats = await advance(page, name === "mouse" ? 3 : 1.2);
        assert.ok(!stats.diverged[0], name);
        const balls = await page.evaluate(() => sinew.views[0].scene.balls);
        assert.equal(balls, name === "mouse" ? 0 : 1, name);
        await frames(page, 4);
        await page.screenshot({ path: join(shots, `play-${name}.png`) });
    }
    await close(page);
});

test("the tinkertoy keeps to its curve and rods, and the penalty method does not", async () => {
    const page = await openPaused();
    await page.click("[data-scenery=tinkertoy]");
    for (const motion of ["helix", "corners"]) {
        await page.selectOption("#motion", motion);
        let worst = 0;
        for (let i = 0; i < 12; i++) worst = Math.max(worst, (await advance(page, 0.25)).error);
        assert.ok(worst < (motion === "helix" ? 0.001 : 0.01), `${motion}: ${worst} m off`);
        assert.ok((await page.evaluate(() => sinew.views[0].scene.pose[2])) < 1.8, "the bead slides down");
        await frames(page, 4);
        await page.screenshot({ path: join(shots, `play-tinkertoy-${motion}.png`) });
    }
    await page.click('[data-form="explicit"]');
    await advance(page, 1);
    assert.ok(await visible(page, "#view-a .verdict"), "kp = 1e6 at 1/240 s is too much for a penalty");
    await page.selectOption("#model", "humanoid"); /* no curve stays behind */
    await page.click('[data-form="stable"]');
    assert.ok(!(await advance(page, 0.5)).diverged[0]);
    await close(page);
});

test("a link brings the moment back", async () => {
    const page = await open("#model=dog&motion=trot");
    await pause(page);
    await advance(page, 0.8);
    await page.evaluate(() => sinew.set({ kp: 5000, kd: 300, form: "full" }, { restart: true }));
    await page.keyboard.press("l");
    await page.waitForFunction(() => location.hash.includes("state="));
    const [hash, time, state] = await page.evaluate(() => [location.hash, sinew.stats().time, Array.from(sinew.views[0].scene.state)]);
    await close(page);
    /* The second page stops before its first step. */
    const other = await open(hash);
    await pause(other);
    const got = await other.evaluate(() => [sinew.settings, sinew.stats().time, Array.from(sinew.views[0].scene.state)]);
    assert.equal(got[0].model, "dog");
    assert.equal(got[0].form, "full");
    assert.equal(got[0].kp, 5000);
    assert.ok(got[1] >= time - 1e-4 && got[1] < time + 2);
    assert.equal(got[2].length, state.length);
    await close(other);
    const damaged = await open("#model=nobody&kp=abc&form=none&t=1&state=%%%");
    assert.equal((await settings(damaged)).kp, 75000);
    assert.match(await damaged.textContent("#message"), /nobody/);
    await close(damaged);
});

test("a crowd tracks, and its count is told", async () => {
    const page = await open("#view=crowd&count=500");
    await pause(page);
    const stats = await advance(page, 1);
    assert.ok(stats.realTime >= 0);
    assert.equal(await page.evaluate(() => sinew.crowd.diverged), 0);
    const spread = await page.evaluate(() => {
        const pose = sinew.crowd.pose, nbody = sinew.subject.nbody, heights = [];
        for (let i = 0; i < sinew.crowd.drawn; i++) heights.push(pose[7 * i * nbody + 2]);
        return [Math.min(...heights), Math.max(...heights), sinew.crowd.drawn];
    });
    assert.ok(spread[0] > 0.5 && spread[1] < 1.5, `pelvis between ${spread[0]} and ${spread[1]} m`);
    assert.equal(spread[2], 500);
    await page.click("#push"); /* everyone */
    await advance(page, 0.2);
    assert.equal(await page.evaluate(() => sinew.crowd.diverged), 0);
    await page.evaluate(() => sinew.running || sinew.toggle());
    await frames(page, 12);
    assert.ok(await visible(page, "#count"));
    await page.screenshot({ path: join(shots, "play-crowd.png") });
    await pause(page);
    await page.evaluate(() => sinew.set({ kp: 75000, form: "explicit" }, { restart: true }));
    await advance(page, 0.5);
    assert.equal(await page.evaluate(() => sinew.crowd.diverged), 500);
    await page.click('[data-view="single"]');
    await page.click('[data-form="stable"]');
    assert.ok((await advance(page, 1)).error < 0.02);
    await close(page);
});

test("a thousand resets leave the memory as it was", async () => {
    const page = await openPaused();
    const sizes = await page.evaluate(() => {
        const used = [];
        for (let i = 0; i < 1000; i++) {
            sinew.set({ form: ["stable", "full", "implicit-d", "explicit"][i % 4], contact: ["implicit", "rows", "none"][i % 3] }, { restart: true });
            sinew.reset();
            sinew.advance(1 / 240);
            if (i % 100 === 9) used.push(sinew.engine.memory);
        }
        for (let i = 0; i < 100; i++) sinew.choose(i % 2 ? "dog" : "humanoid", i % 2 ? "trot" : "run");
        used.push(sinew.engine.memory);
        return used;
    });
    assert.ok(sizes.every((size) => size === sizes[0]), sizes.join(" "));
    assert.equal(sizes[0], 33554432);
    await close(page);
});

test("it fits a phone, in the dark, and fingers work", async () => {
    const page = await open("", { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: "dark" });
    await pause(page);
    await advance(page, 1);
    await frames(page, 3);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.screenshot({ path: join(shots, "play-phone.png") });
    await page.tap('[data-view="split"]');
    await advance(page, 1);
    await frames(page, 3);
    await page.screenshot({ path: join(shots, "play-phone-split.png") });
    await page.tap('[data-view="single"]');
    await page.locator("#kp").scrollIntoViewIfNeeded();
    await page.tap("[data-preset=soft]");
    assert.equal((await settings(page)).kp, 600);
    await page.screenshot({ path: join(shots, "play-phone-panel.png") });
    await close(page);
});

test("keys do what the page says", async () => {
    const page = await open();
    await page.keyboard.press(" ");
    assert.equal(await page.evaluate(() => sinew.running), false);
    const time = () => page.evaluate(() => sinew.stats().time);
    const before = await time();
    await page.keyboard.press(".");
    assert.ok(Math.abs((await time()) - before - 1 / 240) < 1e-9);
    await page.keyboard.press("g");
    assert.equal(await page.getAttribute("#ghost", "aria-pressed"), "true");
    await page.keyboard.press("2");
    assert.equal((await settings(page)).view, "split");
    await page.keyboard.press("1");
    await page.keyboard.press("d");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.keyboard.press("?");
    assert.ok(await visible(page, "#keys"));
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
    assert.equal(await time(), 0);
    await close(page);
});

test("the build without SIMD runs the same", async () => {
    if (!existsSync(join(web, "sinew-plain.wasm"))) return console.log("  it is not built");
    const errors = [];
    for (const address of ["?plain", ""]) {
        const page = await open(address);
        await pause(page);
        await page.click("#reset");
        const stats = await advance(page, 1);
        assert.equal(stats.simd, address === "");
        errors.push(stats.error);
        await close(page);
    }
    assert.equal(errors[0], errors[1]);
});

/* As on a machine that draws fast. */
const best = () => {
    document.getElementById("readout").hidden = true; /* of this machine, which draws by software */
    sinew.keepDetail = true;
    sinew.views.forEach((view) => view.setDetail(2));
};

test("a picture for the first page", async () => {
    const split = await open("", { viewport: { width: 1360, height: 760 } });
    await pause(split);
    await split.evaluate(() => sinew.setMode("split"));
    await split.evaluate(best);
    await split.evaluate(() => { for (let i = 0; i < 128; i++) { sinew.advance(1 / 60); const right = sinew.views[1].scene; sinew.plot.append(right.time, [NaN, 1000 * right.error]); } });
    await frames(split, 8);
    await split.screenshot({ path: join(shots, "play-first.png") });
    await close(split);
    for (const colorScheme of ["light", "dark"]) {
        const page = await open("", { viewport: { width: 1360, height: 820 }, colorScheme });
        await pause(page);
        await page.evaluate(best);
        await page.evaluate(() => { for (let i = 0; i < 130; i++) { sinew.advance(1 / 60); sinew.plot.append(sinew.stats().time, [1000 * sinew.stats().error]); } });
        await frames(page, 8);
        await page.screenshot({ path: join(shots, `play-${colorScheme}.png`) });
        await close(page);
    }
});

const failed = await runTests("play", tests);
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
