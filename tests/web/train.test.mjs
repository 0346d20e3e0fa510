/* The page learn/: trainings of a visitor's choice in a real browser, and what comes from links and files.
 * usage: node tests/web/train.test.mjs [WORD ...]   only tests whose names have one of the words
 *   SINEW_WEB    the built pages (default build/web; `make web` builds them)
 *   SINEW_SHOTS  where pictures go (default build/web/shots) */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Learner, Walkers, connect, hashOf } from "../../web/src/learn_core.js";
import { defaults, readLink, readTraining, recipeOf, writeLink, writeTraining } from "../../web/src/learn_settings.js";
import { complaints, launch, quietPage, requireBrowser, runTests, serve, shots, skip, top } from "./browser.mjs";

const web = resolve(process.env.SINEW_WEB ?? join(top, "build/web"));
if (!existsSync(join(web, "sinew.wasm"))) skip("train", "there is no WebAssembly build (scripts/wasm.sh)");
if (!existsSync(join(web, "learn/learn.js"))) skip("train", "the page is not built (scripts/web.sh play)");
const { default: create } = await import(pathToFileURL(join(web, "sinew.js")).href);
const load = () => create({ wasmBinary: readFileSync(join(web, "sinew.wasm")) });
const chromium = await requireBrowser("train", []);
mkdirSync(shots, { recursive: true });
const server = await serve(web, "/some/where/"), browser = await launch(chromium);

async function until(page, condition, what) {
    for (let tries = 0; tries < 1200; tries++) {
        if (await page.evaluate(condition)) return;
        assert.notEqual(await page.evaluate(() => sinew.state), "failed", await page.textContent("#notice"));
        await new Promise((done) => setTimeout(done, 100));
    }
    assert.fail(`never: ${what ?? condition}`);
}
async function open(address, options = {}) {
    const page = await quietPage(browser, { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, acceptDownloads: true, ...options }, (url) => /^(data|blob):/.test(url) || url.startsWith(server.base));
    page.setDefaultTimeout(120000);
    await page.goto(server.base + address);
    await until(page, () => globalThis.sinew?.racers[0]?.view.last && (sinew.draw(), true), "the first picture");
    return page;
}
async function close(page) {
    assert.deepEqual(complaints(page), []);
    await page.context().close();
}
const bvh = `HIERARCHY
ROOT hip
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT leg
  {
    OFFSET 0 -45 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -45 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.5
0 95 0 0 0 0 0 0 0
0 95 0 0 5 0 0 -5 0
0 95 0 0 0 0 0 0 0
`;

const failed = await runTests("train", [
    ["links: what was chosen comes back, and nothing else", () => {
        const racers = [{ ...defaults, motion: "run", push: 200 }, { ...defaults, model: "dog", motion: "pace", terrain: "bumps", seed: 7 }];
        assert.deepEqual(readLink(writeLink(racers)).racers, racers);
        const one = readLink(writeLink([racers[1]], { iterations: 20, hash: "0123456789abcdef" }));
        assert.deepEqual(one, { racers: [racers[1]], iterations: 20, hash: "0123456789abcdef" });
        for (const bad of ["#model=__proto__", "#motion=/etc/passwd", "#push=1e9", "#push=-1", "#terrain=<script>", "#seed=99999999999", "#iterations=1000000&hash=zz", `#${"x".repeat(1e6)}`])
            assert.deepEqual(readLink(bad), { racers: [defaults], iterations: null, hash: null }, bad.slice(0, 40));
    }],
    ["saved trainings: damaged, foreign and large files are refused", async () => {
        const bytes = new Uint8Array(await writeTraining({ ...defaults, push: 100 }, new Uint8Array([1, 2, 3])).arrayBuffer());
        assert.deepEqual(readTraining(bytes), { settings: { ...defaults, push: 100 }, checkpoint: new Uint8Array([1, 2, 3]) });
        for (const bad of [new Uint8Array(0), bytes.subarray(0, 20), new TextEncoder().encode("null\n"), new TextEncoder().encode('{"model":"humanoid"}\n'), new Uint8Array(65 << 20)]) assert.throws(() => readTraining(bad), Error);
    }],
    ["in node: a training that was saved goes on with the same bits; a damaged checkpoint is refused; pushes and ground change the bits", async () => {
        const task = { ...recipeOf({ ...defaults, push: 200, terrain: "bumps" }), copies: 32 };
        const whole = await Learner.create(await load(), task);
        for (let i = 0; i < 2; i++) await whole.iterate();
        const saved = await whole.save();
        for (let i = 0; i < 2; i++) await whole.iterate();
        const again = await Learner.create(await load(), task);
        await again.restore(saved);
        for (let i = 0; i < 2; i++) await again.iterate();
        assert.equal(hashOf(again.policy()), hashOf(whole.policy()));
        await assert.rejects(again.restore(saved.map((b, i) => (i === 100 ? b ^ 1 : b))), /damaged/);
        const plain = await Learner.create(await load(), { ...recipeOf(defaults), copies: 32 });
        await assert.rejects(plain.restore(saved), Error);
        const module = await load(), walkers = new Walkers(module, { ...task, copies: 2 });
        assert.equal(walkers.onnx(), null);
        assert.ok(walkers.setPolicy(whole.policy()));
        const onnx = walkers.onnx();
        assert.ok(onnx.length > 50000 && new TextDecoder("latin1").decode(onnx).includes("observation"));
        await assert.rejects(Learner.create(module, { settings: { nonsense: 1 } }), /nonsense/);
    }],
    ["two ranks save and go on together, with the bits of one", async () => {
        const pair = async (checkpoint) => {
            const { port1, port2 } = new MessageChannel(), ports = [[null, port1], [port2, null]];
            const learners = await Promise.all([0, 1].map(async (rank) => {
                const module = await load();
                connect(module, ports[rank]);
                const learner = await Learner.create(module, { ...recipeOf(defaults), copies: 64, rank, ranks: 2 });
                if (checkpoint) await learner.restore(checkpoint);
                for (let i = 0; i < 2; i++) await learner.iterate();
                return learner;
            }));
            const [saved, nothing] = await Promise.all(learners.map((learner) => learner.save()));
            assert.equal(nothing, null);
            const policy = learners[0].policy();
            port1.close();
            return { saved, policy };
        };
        const { saved } = await pair(null), { policy } = await pair(saved);
        const alone = await Learner.create(await load(), { ...recipeOf(defaults), copies: 64 });
        for (let i = 0; i < 4; i++) await alone.iterate();
        assert.equal(hashOf(policy), hashOf(alone.policy()));
    }],
    ["two settings race; each learns what it would learn alone; it is saved, resumed and exported", async () => {
        const page = await open("learn/?still&workers=2#motion=run&race=1&b.push=200");
        assert.equal(await page.evaluate(() => sinew.racers.length), 2);
        await page.click("#go");
        await until(page, () => sinew.racers.every((racer) => racer.hashes?.length >= 3), "three lessons of both");
        await page.evaluate(() => sinew.draw());
        await page.screenshot({ path: join(shots, "learn-race.png") });
        const download = page.waitForEvent("download");
        await page.locator('[name="save"]').first().click();
        assert.match((await download).suggestedFilename(), /humanoid-run\.training/);
        await page.click("#go"); /* stop */
        await until(page, () => sinew.state === "waiting");
        assert.match(await page.textContent("#message"), /against/);
        const hashes = await page.evaluate(() => sinew.racers.map((racer) => racer.hashes[1]));
        for (const [i, settings] of [{ ...defaults, motion: "run" }, { ...defaults, push: 200 }].entries()) {
            const alone = await Learner.create(await load(), recipeOf(settings));
            for (let k = 0; k < 2; k++) await alone.iterate();
            assert.equal(hashOf(alone.policy()), hashes[i]);
        }
        await page.locator('[name="onnx"]').first().click();
        await until(page, () => sinew.racers[0].onnxBytes > 50000);
        const before = await page.evaluate(async () => {
            const { savedBytes } = sinew.racers[0];
            await sinew.take([new File([savedBytes], "a.training")]);
            return sinew.racers[0].checkpoint.length;
        });
        assert.ok(before > 1e5);
        await page.click("#race"); /* one again */
        await page.click("#go");
        await until(page, () => sinew.racers[0].iterations > 3 && sinew.racers[0].hashes.length > 0);
        await page.click("#go");
        await until(page, () => sinew.state === "waiting");
        await close(page);
    }],
    ["a link is trained again with the same bits; a file of one's own is imitated; a bad one is refused", async () => {
        const alone = await Learner.create(await load(), recipeOf({ ...defaults, model: "dog", motion: "trot" }));
        for (let k = 0; k < 2; k++) await alone.iterate();
        const page = await open(`learn/?still&workers=1#model=dog&motion=trot&iterations=2&hash=${hashOf(alone.policy())}`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" });
        await page.click("#go");
        await until(page, () => sinew.state === "waiting" && sinew.racers[0].hashes?.length === 2);
        assert.match(await page.textContent("#message"), /same policy as in the link, bit by bit/);
        await page.evaluate(() => sinew.draw());
        await page.screenshot({ path: join(shots, "learn-phone-dark.png") });
        await page.evaluate((text) => sinew.take([new File([text], "own.bvh")]), bvh);
        assert.deepEqual(await page.evaluate(() => [sinew.racers[0].settings.motion, sinew.racers[0].shareable]), ["own.bvh", false]);
        await page.evaluate(() => sinew.take([new File(["HIERARCHY nonsense"], "bad.bvh")]));
        assert.match(await page.textContent("#message"), /bad\.bvh/);
        await close(page);
    }],
]);
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
