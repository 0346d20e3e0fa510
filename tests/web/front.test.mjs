/* The front door in a real browser: the crowd, the training in workers, the walker that is pushed.
 * usage: node tests/web/front.test.mjs [WORD ...]   only tests whose names have one of the words
 *   SINEW_WEB    the built pages (default build/web; scripts/wasm.sh and scripts/web.sh play build them)
 *   SINEW_SHOTS  where pictures go (default build/web/shots)
 * The page draws on demand here (?still), because drawing by software would slow everything else down. It is served below a
 * path, without special headers, as any static server would. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Learner, hashOf } from "../../web/src/learn_core.js";
import { complaints, launch, quietPage, requireBrowser, runTests, serve, shots, top } from "./browser.mjs";

const web = resolve(process.env.SINEW_WEB ?? join(top, "build/web"));
const chromium = await requireBrowser("front", [
    [join(web, "sinew.wasm"), "there is no WebAssembly build (scripts/wasm.sh)"],
    [join(web, "front.js"), "the page is not built (scripts/web.sh play)"],
]);
mkdirSync(shots, { recursive: true });
const server = await serve(web, "/some/where/"), browser = await launch(chromium);

/* Not waitForFunction: it would need a policy that lets strings run as script. */
async function until(page, condition, what) {
    for (let tries = 0; tries < 1200; tries++) {
        if (await page.evaluate(condition)) return;
        assert.notEqual(await page.evaluate(() => sinew.state), "failed", await page.textContent("#notice"));
        await new Promise((done) => setTimeout(done, 100));
    }
    assert.fail(`never: ${what ?? condition}`);
}

async function open(address = "?still", options = {}) {
    const known = (url) => /^(data|blob):/.test(url) || url.startsWith(server.base);
    const page = await quietPage(browser, { viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1, ...options }, known);
    page.setDefaultTimeout(240000);
    await page.goto(server.base + address);
    await until(page, () => sinew.view?.last && (sinew.draw(), sinew.shown), "the first picture");
    return page;
}

async function close(page) {
    assert.deepEqual(complaints(page), []);
    await page.context().close();
}

/* Steps what is shown, without a clock. */
async function step(page, count) {
    const before = await page.evaluate((n) => (sinew.order("step", n), sinew.seen.steps), count);
    await page.waitForTimeout(20);
    await until(page, `sinew.seen.steps >= ${before + count}`);
    await page.evaluate(() => sinew.draw());
}

async function learnInNode(iterations) {
    const { default: create } = await import(pathToFileURL(join(web, "sinew.js")).href);
    const learner = await Learner.create(await create({ wasmBinary: readFileSync(join(web, "sinew.wasm")) }), { seed: 1 });
    for (let i = 0; i < iterations; i++) await learner.iterate();
    return hashOf(learner.policy());
}

const failed = await runTests("front", [
    ["the page with learning is less than 1.1 MB, and 60 kB are enough for its first paint, compressed", () => {
        const size = (names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(join(web, name)), { level: 9 }).length, 0);
        const first = size(["index.html", "style.css", "front.css", "poster.webp"]), all = first + size(["front.js", "sinew-worker.js", "sinew.js", "sinew.wasm"]);
        console.log(`  ${all} bytes, ${first} of them for the first paint`);
        assert.ok(all < 1.1e6 && first < 6e4);
    }],
    ["pressed, the crowd falls before the first lesson is over", async () => {
        const page = await open();
        assert.equal(await page.isVisible("#poster"), false);
        assert.equal(await page.evaluate(() => sinew.seen.steps), 0);
        await page.click("#go");
        await until(page, () => sinew.moved && sinew.seen.fallen > 0, "someone falls");
        await until(page, () => sinew.hashes.length > 0);
        const { moved, first } = await page.evaluate(() => ({ moved: sinew.moved - sinew.pressed, first: 1000 * sinew.progress.seconds }));
        console.log(`  something moves ${Math.round(moved)} ms after the button is pressed, the first lesson ends after ${Math.round(first)} ms`);
        assert.ok(moved < first);
        await page.click("#enough"); /* whoever has seen enough may push one at once */
        await until(page, () => sinew.seen.copies === 1);
        assert.ok(await page.isVisible("#push"));
        await close(page);
    }],
    ["a link with 20 iterations gives the policy of node, with one worker and with two", async () => {
        const hash = await learnInNode(20);
        for (const workers of [1, 2]) {
            const page = await open(`?still&workers=${workers}#learn=walk&seed=1&iterations=20&hash=${hash}`);
            await page.click("#go");
            await until(page, () => sinew.state === "walker");
            assert.equal(await page.evaluate(() => sinew.hashes.at(-1)), hash);
            assert.equal(await page.evaluate(() => sinew.hashes.length), 20);
            assert.match(await page.textContent("#told"), /bit by bit/);
            await page.click("#share");
            assert.match(await page.evaluate(() => location.hash), new RegExp(`learn=walk&seed=1&iterations=20&hash=${hash}`));
            await close(page);
        }
    }],
    ["a shipped walker that is pushed with the mouse sways, and stands", async () => {
        const page = await open();
        await page.click("#skip");
        await until(page, () => sinew.seen.copies === 1);
        const after = async (pushed) => {
            await page.evaluate(() => (sinew.order("run", false), (sinew.seen = null), sinew.order("make", { ...sinew.task, copies: 1, seed: 3, policy: sinew.policy })));
            await until(page, () => sinew.seen?.copies === 1 && sinew.seen.steps === 0);
            await step(page, 30);
            await page.evaluate(() => (sinew.view.home(), sinew.draw()));
            const at = await page.evaluate(() => {
                const box = document.getElementById("stage").getBoundingClientRect();
                for (let y = 0.25; y < 0.75; y += 0.01)
                    for (let x = 0.25; x < 0.75; x += 0.01) if (sinew.view.pick(box.left + x * box.width, box.top + y * box.height)?.body === 0) return [box.left + x * box.width, box.top + y * box.height];
                return null;
            });
            assert.ok(at, "the walker is not in the picture");
            if (pushed) await page.mouse.click(...at);
            await step(page, 10);
            if (pushed) await page.screenshot({ path: join(shots, "front-pushed.png") });
            const early = await page.evaluate(() => Array.from(sinew.view.last.pose.slice(0, 3)));
            await step(page, 200);
            return [early, await page.evaluate(() => sinew.seen.fallen)];
        };
        const [calm, calmFalls] = await after(false), [swayed, falls] = await after(true);
        assert.ok(Math.hypot(...calm.map((c, k) => c - swayed[k])) > 0.03, "nobody felt the push");
        assert.deepEqual([calmFalls, falls], [0, 0]);
        await page.click("#ball");
        await step(page, 60);
        assert.equal(await page.evaluate(() => sinew.view.last.balls), 1);
        await page.click("#stage", { position: { x: 5, y: 300 } });
        await page.keyboard.press("ArrowLeft");
        await step(page, 30);
        await page.click("#again");
        await until(page, () => sinew.seen.copies > 1);
        await close(page);
    }],
    ["every lesson has its crowd and its shipped policy", async () => {
        const page = await open();
        for (const name of ["run", "trot"]) {
            await page.evaluate(() => (sinew.seen = null));
            await page.selectOption("#what", name);
            await until(page, () => sinew.seen?.copies > 1);
            await page.click("#skip");
            await until(page, () => sinew.seen.copies === 1);
            await page.evaluate(() => (sinew.order("run", false), sinew.order("make", { ...sinew.task, copies: 1, seed: 3, policy: sinew.policy }), (sinew.seen = null)));
            await until(page, () => sinew.seen?.steps === 0);
            await step(page, 60);
            assert.equal(await page.evaluate(() => sinew.seen.fallen), 0, name);
            await page.screenshot({ path: join(shots, `front-${name}.png`) });
            await page.click("#again");
            await until(page, () => sinew.seen.copies > 1);
        }
        await close(page);
    }],
    ["pictures: desktop and phone, by day and by night", async () => {
        for (const [device, options] of [["desktop", {}], ["phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]])
            for (const colorScheme of ["light", "dark"]) {
                const page = await open("?still", { ...options, colorScheme }), shoot = (name) => page.screenshot({ path: join(shots, `front-${name}-${device}-${colorScheme}.png`) });
                assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
                await shoot("door");
                if (colorScheme === "light") {
                    await page.screenshot({ path: join(shots, `front-whole-${device}.png`), fullPage: true });
                    await page.click("#go");
                    await until(page, () => sinew.hashes.length > 2);
                    await page.evaluate(() => sinew.draw());
                    await shoot("learning");
                }
                await page.evaluate(() => sinew.skip());
                await until(page, () => sinew.seen.copies === 1);
                await until(page, () => sinew.seen.copies === 1 && sinew.seen.steps > 20);
                await page.evaluate(() => (sinew.order("run", false), sinew.draw()));
                await shoot("walker");
                await close(page);
            }
    }],
]);
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
