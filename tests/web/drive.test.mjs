/* Characters that are steered: in node, and on the page drive/ in a real browser.
 * usage: node tests/web/drive.test.mjs [WORD ...]   only tests whose names have one of the words
 *   SINEW_WEB    the built pages (default build/web; `make web` builds them)
 *   SINEW_SHOTS  where pictures go (default build/web/shots) */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Company, Drive, yawOf } from "../../web/src/drive_core.js";
import { complaints, launch, quietPage, requireBrowser, runTests, serve, shots, skip, top } from "./browser.mjs";

const web = resolve(process.env.SINEW_WEB ?? join(top, "build/web"));
if (!existsSync(join(web, "sinew.wasm"))) skip("drive", "there is no WebAssembly build (scripts/wasm.sh)");
const { default: create } = await import(pathToFileURL(join(web, "sinew.js")).href);
const module = await create({ wasmBinary: readFileSync(join(web, "sinew.wasm")) });
const policy = (name) => new Uint8Array(readFileSync(join(top, "policies", `${name}.sinew`)));
const go = policy("humanoid-stick"), getUp = policy("humanoid-get-up"), nbody = 13, second = 240;

/* Where one is after so many seconds with a stick: place and heading. */
function after(drive, stick, seconds) {
    drive.stick(0, stick);
    drive.step(seconds * second);
    const { pose } = drive.look(nbody);
    return { x: pose[0], y: pose[1], z: pose[2], yaw: yawOf(pose, 0) };
}

const inNode = [
    ["steered ahead it goes ahead, to the left it turns left, and it stops", () => {
        const drive = new Drive(module, { go, getUp, humans: 1 });
        const ahead = after(drive, [1.2, 0, 0], 4);
        assert.ok(ahead.x > 3 && ahead.x < 6 && Math.abs(ahead.y) < 0.5, JSON.stringify(ahead));
        const turned = after(drive, [0, 0, 1.2], 2);
        assert.ok(turned.yaw - ahead.yaw > 1, JSON.stringify(turned));
        const stopped = after(drive, [0, 0, 0], 2), still = after(drive, [0, 0, 0], 1);
        assert.ok(Math.hypot(still.x - stopped.x, still.y - stopped.y) < 0.3);
        assert.equal(drive.mode(0), "goes");
        drive.free();
    }],
    ["a push is felt, a ball flies, and it stays on its feet", () => {
        const [calm, pushed] = [false, true].map((push) => {
            const drive = new Drive(module, { go, humans: 1, crates: 3 });
            drive.step(120);
            if (push) assert.ok(drive.push(0, 0, [0, 1, 0], 0.5));
            if (push) assert.ok(drive.throwBall([-2, 0, 1.2], [5, 0, 2]));
            drive.step(2 * second);
            const { pose, balls } = drive.look(nbody);
            assert.equal(balls, push ? 1 : 0);
            assert.equal(drive.mode(0), "goes");
            drive.free();
            return pose;
        });
        assert.ok(Math.hypot(calm[0] - pushed[0], calm[1] - pushed[1]) > 0.02);
    }],
    ["let go it falls, put on its feet it stands, and the others come when they follow", () => {
        const drive = new Drive(module, { go, humans: 3 });
        drive.letGo(0);
        drive.step(2 * second);
        assert.equal(drive.mode(0), "limp");
        assert.ok(drive.look(nbody).pose[2] < 0.6);
        drive.stand(0);
        drive.step(second);
        assert.equal(drive.mode(0), "goes");
        assert.ok(drive.look(nbody).pose[2] > 0.8);
        const company = new Company(), away = (pose) => Math.hypot(pose[7 * nbody] - pose[0], pose[7 * nbody + 1] - pose[1]);
        let pose = drive.look(nbody).pose;
        const from = [pose[0], pose[1]]; // it looks where it looked when it lay
        drive.stick(0, [1.5, 0, 0]);
        for (let i = 0; i < 60; i++) company.act(drive, nbody, pose, 0, "follow"), drive.step(24), (pose = drive.look(nbody).pose);
        const gone = Math.hypot(pose[0] - from[0], pose[1] - from[1]);
        assert.ok(gone > 5 && away(pose) < 5, `${gone} ${away(pose)}`);
        drive.free();
    }],
    ["damaged, foreign and large policies are refused", () => {
        for (const bytes of [go.subarray(0, 1000), go.map((b, i) => (i === 40 ? b ^ 255 : b)), policy("dog-trot"), new Uint8Array(5 << 20)]) assert.throws(() => new Drive(module, { go: bytes }), Error);
    }],
];

const missing = existsSync(join(web, "drive/drive.js")) ? null : "the page is not built (scripts/web.sh play)";
if (missing) skip("drive", missing);
const chromium = await requireBrowser("drive", []);
mkdirSync(shots, { recursive: true });
const server = await serve(web, "/some/where/"), browser = await launch(chromium);

async function until(page, condition, what) {
    for (let tries = 0; tries < 600; tries++) {
        if (await page.evaluate(condition)) return;
        assert.notEqual(await page.evaluate(() => sinew.state), "failed", await page.textContent("#notice"));
        await new Promise((done) => setTimeout(done, 100));
    }
    assert.fail(`never: ${what ?? condition}`);
}
async function open(address = "drive/?still", options = {}) {
    const page = await quietPage(browser, { viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1, ...options }, (url) => /^(data|blob):/.test(url) || url.startsWith(server.base));
    page.setDefaultTimeout(120000);
    await page.goto(server.base + address);
    await until(page, () => globalThis.sinew?.shown, "the first picture");
    return page;
}
async function close(page) {
    assert.deepEqual(complaints(page), []);
    await page.context().close();
}
/* Lets the page send its stick, and steps without a clock. */
async function step(page, count) {
    const before = await page.evaluate(() => (sinew.steer(), sinew.seen.steps));
    await page.evaluate((n) => sinew.order("step", n), count);
    await until(page, `sinew.seen.steps >= ${before + count}`);
    await page.evaluate(() => sinew.draw());
}
const place = (page) => page.evaluate(() => Array.from(sinew.view.last.pose.slice(0, 3)));

const failed = await runTests("drive", [
    ...inNode,
    ["keys steer it, space throws a ball, F lets it fall and get up, C takes the next one", async () => {
        const page = await open();
        await page.click("#go");
        assert.equal(await page.isVisible("#hello"), false);
        await page.keyboard.down("w");
        await step(page, 2 * second);
        await page.screenshot({ path: join(shots, "drive-ahead.png") });
        await page.keyboard.up("w");
        const [x] = await place(page);
        assert.ok(x > 1, String(x));
        await page.keyboard.press("Space");
        await step(page, second / 2);
        assert.equal(await page.evaluate(() => sinew.seen.balls), 1);
        await page.keyboard.press("f");
        await step(page, second);
        assert.equal(await page.evaluate(() => sinew.seen.modes[0]), "limp");
        assert.equal(await page.textContent("#drop"), "Get up");
        await page.screenshot({ path: join(shots, "drive-limp.png") });
        await page.keyboard.press("f");
        await step(page, second);
        assert.match(await page.evaluate(() => sinew.seen.modes[0]), /lies|gets_up|goes/);
        await page.keyboard.press("c");
        assert.equal(await page.evaluate(() => sinew.led), 1);
        await page.keyboard.down("ArrowUp");
        const before = await page.evaluate(() => Array.from(sinew.view.last.pose.slice(91, 93)));
        await step(page, second);
        assert.ok(Math.hypot(...(await page.evaluate(() => Array.from(sinew.view.last.pose.slice(91, 93)))).map((v, k) => v - before[k])) > 0.4);
        await close(page);
    }],
    ["on a phone: the stick steers, a tap throws a ball", async () => {
        const page = await open("drive/?still", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
        const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(wide <= room, `${wide} pixels in ${room}`);
        await page.screenshot({ path: join(shots, "drive-door-phone.png") });
        await page.tap("#go");
        const box = await page.locator("#pad").boundingBox(), middle = [box.x + box.width / 2, box.y + box.height / 2];
        await page.evaluate(([x, y]) => {
            const send = (type, y) => document.getElementById("pad").dispatchEvent(new PointerEvent(type, { pointerId: 1, pointerType: "touch", clientX: x, clientY: y, bubbles: true }));
            document.getElementById("pad").setPointerCapture = () => {};
            send("pointerdown", y);
            send("pointermove", y - 60);
        }, middle);
        await step(page, 2 * second);
        assert.ok((await page.evaluate(() => sinew.sticks.read()))[0] > 2);
        await page.screenshot({ path: join(shots, "drive-phone.png") });
        assert.ok((await place(page))[0] > 0.7);
        await page.touchscreen.tap(195, 300);
        await step(page, 60);
        assert.equal(await page.evaluate(() => sinew.seen.balls), 1);
        await close(page);
    }],
    ["the link has what was chosen, and what is not known is left out; pictures by night", async () => {
        const page = await open("drive/?still#humans=5&others=follow&crates=999", { colorScheme: "dark" });
        assert.deepEqual(await page.evaluate(() => ["humans", "others", "crates"].map((id) => document.getElementById(id).value)), ["5", "follow", "6"]);
        assert.equal(await page.evaluate(() => sinew.seen.modes.length), 5);
        await page.click(".options summary");
        await page.click("#share");
        assert.equal(await page.evaluate(() => location.hash), "#humans=5&others=follow");
        await page.screenshot({ path: join(shots, "drive-options-dark.png") });
        await page.selectOption("#humans", "8");
        await until(page, () => sinew.seen.modes.length === 8);
        await step(page, 60);
        await close(page);
    }],
]);
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
