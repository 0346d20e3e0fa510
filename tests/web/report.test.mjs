/* The report in a real browser, from a file:// address and without a network.
 * usage: node tests/web/report.test.mjs   with SINEW_COMMAND naming the sinew program (build/release/cli/sinew unless told)
 * Pictures of what was seen go to build/web/shots, or where SINEW_SHOTS says. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, quietPage, requireBrowser, runTests, shots, skip, top } from "./browser.mjs";

const command = resolve(process.env.SINEW_COMMAND ?? join(top, "build/release/cli/sinew"));
const chromium = await requireBrowser("report", [[command, `${command} is not built`]]);

/* ------------------------------------------------------------------------------------------------------- what is seen */

const room = mkdtempSync(join(tmpdir(), "sinew-web-report-"));
mkdirSync(shots, { recursive: true });
execFileSync(join(top, "scripts/web.sh"), ["report", room], { stdio: "inherit" });
if (!existsSync(join(room, "report.html"))) skip("report", "the page could not be built");
process.env.SINEW_SHARE = room;
const sinew = (...words) => execFileSync(command, words, { cwd: room, encoding: "utf8" });
sinew(
    "track",
    "humanoid",
    "run",
    "--ground",
    "--duration",
    "10",
    "--record",
    "run.json",
    "--report",
    "run.html",
);
const address = (name) => pathToFileURL(join(room, name)).href;

const browser = await launch(chromium);

/* A page that must make no noise and ask nobody. */
async function open(name, options = {}) {
    const known = (url) => /^(file|data|blob):/.test(url);
    const page = await quietPage(browser, { viewport: { width: 1280, height: 800 }, offline: true, ...options }, known);
    await page.goto(address(name), { waitUntil: "load", timeout: 120000 });
    return page;
}

async function close(page) {
    assert.deepEqual(page.noise, []);
    await page.context().close();
}

const clock = async (page) => parseFloat(await page.textContent("#clock"));
const near = (value, wanted, slack, what) =>
    assert.ok(Math.abs(value - wanted) <= slack, `${what}: ${value}, not ${wanted}`);
const place = (page) => page.evaluate(() => Array.from(globalThis.report.scene.pose.slice(0, 3)));
const still = (page) => page.evaluate(() => globalThis.report.setPlaying(false));
const openStill = async (name, options) => {
    const page = await open(name, options);
    await still(page);
    return page;
};
/* How many colours the picture has: a blank one has few. */
const colours = (page) =>
    page.evaluate(async () => {
        const { stage } = globalThis.report.scene,
            picture = new Image(),
            copy = document.createElement("canvas");
        picture.src = stage.snapshot();
        await picture.decode();
        copy.width = copy.height = 64;
        const pen = copy.getContext("2d");
        pen.drawImage(picture, 0, 0, 64, 64);
        const data = pen.getImageData(0, 0, 64, 64).data,
            seen = new Set();
        for (let i = 0; i < data.length; i += 4)
            seen.add((data[i] >> 3) * 1024 + (data[i + 1] >> 3) * 32 + (data[i + 2] >> 3));
        return seen.size;
    });

const tests = [];
const test = (name, run) => tests.push([name, run]);

test("ten seconds of a humanoid are a file of less than 3 MB", async () => {
    const { size } = statSync(join(room, "run.html"));
    assert.ok(size < 3e6, `${size} bytes`);
    console.log(`  run.html: ${size} bytes, recording ${statSync(join(room, "run.json")).size}`);
});

test("it opens from a file, without noise, and plays", async () => {
    const page = await open("run.html");
    assert.equal(await page.textContent("#title"), "humanoid · run");
    assert.match(await page.textContent("#verdict"), /within [\d.]+ mm/);
    await page.waitForFunction(() => globalThis.report.time > 0.3, null, { timeout: 60000 });
    await still(page);
    assert.ok((await colours(page)) > 40);
    assert.equal(await page.locator(".plot").count(), 4);
    await page.screenshot({ path: join(shots, "report-light.png") });
    await close(page);
});

test("the scrubber, the plots and the keys all set the same time", async () => {
    const page = await openStill("run.html");
    const box = await page.locator("#scrub").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    near(await clock(page), 5, 0.1, "middle of the scrubber");
    const [before] = await place(page);
    await page.keyboard.press("End");
    near(await clock(page), 10, 0.001, "end");
    const [after] = await place(page);
    assert.ok(after - before > 8, "a run goes on: 5 s later it is far ahead");
    await page.keyboard.press("ArrowLeft");
    near(await clock(page), 10 - 1 / 60, 0.006, "one frame back");
    await page.keyboard.press("Home");
    near(await clock(page), 0, 0, "start");
    const plot = await page.locator(".plot canvas").first().boundingBox();
    await page.mouse.click(plot.x + 42 + 0.25 * (plot.width - 50), plot.y + plot.height / 2);
    near(await clock(page), 2.5, 0.05, "a quarter of the plot");
    near(Number(await page.inputValue("#scrub")), 2.5, 0.05, "scrubber after the plot");
    await page.keyboard.press(" ");
    assert.equal(await page.getAttribute("#play", "aria-label"), "Pause");
    await page.waitForFunction(() => globalThis.report.time > 2.7, null, { timeout: 60000 });
    await page.keyboard.press(" ");
    assert.equal(await page.getAttribute("#play", "aria-label"), "Play");
    await close(page);
});

test("the pose shown is the one recorded", async () => {
    const page = await openStill("run.html");
    const recording = JSON.parse(readFileSync(join(room, "run.json"), "utf8")),
        c = recording.characters[0];
    const raw = (channel) => Buffer.from(channel.data, "base64"),
        nbody = recording.models[0].bodies.length;
    for (const frame of [0, 137, 600]) {
        await page.evaluate((t) => globalThis.report.seek(t), raw(recording.time).readFloatLE(4 * frame));
        const pose = await page.evaluate(() => Array.from(globalThis.report.scene.pose));
        for (let b = 0; b < nbody; b++)
            for (let k = 0; k < 3; k++) {
                const root = raw(c.root).readFloatLE(4 * (3 * frame + k));
                const own = raw(c.position).readInt16LE(2 * (3 * (frame * nbody + b) + k)) * c.position.scale;
                near(pose[7 * b + k], root + own, 1e-4, `frame ${frame}, body ${b}`);
            }
    }
    await close(page);
});

test("ghost, forces, torques and shapes come and go", async () => {
    const page = await openStill("run.html", { colorScheme: "dark" });
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    const contacts = (truth) =>
        page.evaluate((want) => {
            const { contacts: c, time } = globalThis.report.recording;
            for (let f = 60; f < time.length; f++)
                if (c.start[f + 1] > c.start[f] === want) return globalThis.report.seek(time[f]);
        }, truth);
    const marks = (name) =>
        page.evaluate((n) => globalThis.report.scene.stage.marks.get(n)?.mesh.count ?? 0, name);
    await contacts(true);
    assert.equal(await marks("forces"), 0);
    await page.keyboard.press("c");
    assert.ok((await marks("forces")) > 0, "a foot on the ground has a force");
    await contacts(false);
    assert.equal(await marks("forces"), 0, "in the air there is none");
    await contacts(true);
    await page.click("#torques");
    assert.ok((await marks("torques")) > 3);
    await page.evaluate(() => globalThis.report.scene.stage.jump());
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(shots, "report-dark.png") });
    assert.match(await page.textContent("#ghost"), /over/);
    await page.keyboard.press("g");
    assert.match(await page.textContent("#ghost"), /beside/);
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(shots, "report-beside.png") });
    await page.keyboard.press("g");
    assert.match(await page.textContent("#ghost"), /off/);
    await page.keyboard.press("s");
    assert.equal(await page.getAttribute("#shapes", "aria-pressed"), "true");
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(shots, "report-shapes.png") });
    await page.keyboard.press("d");
    assert.equal(await page.getAttribute("html", "data-theme"), "light");
    await close(page);
});

test("a click on a limb chooses its joint", async () => {
    const page = await openStill("run.html");
    await page.evaluate(() => globalThis.report.seek(1));
    await page.evaluate(() => globalThis.report.scene.stage.jump());
    await page.waitForTimeout(400);
    /* Where the head is on the screen. */
    const [x, y, name] = await page.evaluate(() => {
        const { stage, simulated, pose } = globalThis.report.scene,
            b = simulated.model.bodies.findIndex((body) => body.name === "head");
        const box = stage.canvas.getBoundingClientRect();
        const p = stage.camera.position.clone().fromArray(pose, 7 * b);
        p.z += simulated.model.bodies[b].shapes[0].pos[2];
        stage.camera.updateMatrixWorld();
        p.project(stage.camera);
        return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height, String(b)];
    });
    assert.notEqual(await page.inputValue(".plot select"), name);
    await page.mouse.click(x, y);
    assert.equal(await page.inputValue(".plot select"), name);
    await close(page);
});

test("on a phone nothing is wider than the screen, and a tap plays", async () => {
    const page = await open("run.html", {
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: 2,
        hasTouch: true,
        isMobile: true,
    });
    await still(page);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    const { width, height } = await page.locator("#play").boundingBox();
    assert.ok(width >= 40 && height >= 40, "a finger finds it");
    await page.tap("#play");
    assert.equal(await page.getAttribute("#play", "aria-label"), "Pause");
    await still(page);
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(shots, "report-phone.png") });
    await close(page);
});

test("a damaged recording is refused with its reason", async () => {
    const text = readFileSync(join(room, "run.html"), "utf8"),
        where = text.indexOf('"rotation":{');
    const at = text.indexOf('"data":"', where) + 60;
    writeFileSync(
        join(room, "broken.html"),
        `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`,
    );
    writeFileSync(join(room, "newer.html"), text.replace('"version":2', '"version":3'));
    for (const [name, why] of [
        ["broken.html", /checksum/],
        ["newer.html", /version 3/],
        ["report.html", /no recording yet/],
    ]) {
        const page = await open(name);
        assert.match(await page.textContent("#notice"), why);
        await close(page);
    }
});

test("a run that diverged says so and stops where it broke", async () => {
    try {
        sinew(
            "track",
            "humanoid",
            "run",
            "--form",
            "explicit",
            "--dt",
            "1/60",
            "--no-record",
            "--report",
            "bad.html",
        );
        assert.fail("it did not diverge");
    } catch (error) {
        assert.equal(error.status, 1);
    }
    const page = await open("bad.html");
    assert.match(await page.textContent("#verdict"), /diverged/);
    assert.ok(await page.locator("#events button").count());
    await page.waitForFunction(() => !globalThis.report.playing, null, { timeout: 60000 });
    await close(page);
});

test("dogs and snakes are drawn, too", async () => {
    for (const [character, motion] of [
        ["dog", "trot"],
        ["snake36", "slither"],
    ]) {
        sinew("track", character, motion, "--duration", "2", "--no-record", "--report", `${character}.html`);
        const page = await open(`${character}.html`);
        await page.evaluate(() => globalThis.report.seek(1));
        await still(page);
        await page.evaluate(() => globalThis.report.scene.stage.jump());
        await page.waitForTimeout(300);
        assert.ok((await colours(page)) > 30);
        await page.screenshot({ path: join(shots, `report-${character}.png`) });
        await close(page);
    }
});

test("without WebGL the numbers are there all the same", async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } }),
        page = await context.newPage();
    await page.addInitScript(() => {
        const real = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
            return kind.startsWith("webgl") ? null : real.call(this, kind, ...more);
        };
    });
    await page.goto(address("run.html"));
    assert.match(await page.textContent("#notice"), /WebGL/);
    await still(page);
    await page.keyboard.press("End");
    near(await clock(page), 10, 0.001, "end");
    await page.keyboard.press("ArrowLeft");
    near(await clock(page), 10 - 1 / 60, 0.006, "one frame back");
    assert.equal(await page.locator(".plot").count(), 4);
    await context.close();
});

test("sinew render draws a picture of the size asked for", async () => {
    sinew("render", "run.json", "picture.png", "--width", "320", "--height", "180", "--time", "2");
    const bytes = readFileSync(join(room, "picture.png"));
    assert.equal(bytes.readUInt32BE(16), 320);
    assert.equal(bytes.readUInt32BE(20), 180);
    writeFileSync(join(shots, "render.png"), bytes);
});

/* The character in a picture by its colour: skin is warm (more red than blue), floor and sky are not. Returns its share
   of the pixels and where its middle is, from 0 to 1 across and down. */
async function findCharacter(name) {
    const page = await browser.newPage();
    const found = await page.evaluate(
        async (source) => {
            const picture = new Image();
            picture.src = source;
            await picture.decode();
            const { width, height } = picture,
                copy = Object.assign(document.createElement("canvas"), { width, height }),
                pen = copy.getContext("2d");
            pen.drawImage(picture, 0, 0);
            const { data } = pen.getImageData(0, 0, width, height);
            let count = 0,
                x = 0,
                y = 0;
            for (let i = 0; i < width * height; i++)
                if (data[4 * i] > data[4 * i + 2] + 40) {
                    count++;
                    x += i % width;
                    y += Math.floor(i / width);
                }
            return { share: count / (width * height), x: x / count / width, y: y / count / height };
        },
        `data:image/png;base64,${readFileSync(join(room, name)).toString("base64")}`,
    );
    await page.close();
    return found;
}

test("sinew render shows the character wherever it has gone", async () => {
    sinew("track", "dog", "trot", "--duration", "6", "--record", "trot.json");
    const size = ["--width", "320", "--height", "180", "--ghost", "off"];
    for (const [recording, times] of [
        ["run.json", [0, 5, 9.9]],
        ["trot.json", [0, 5.9]],
    ]) {
        let first = null;
        for (const time of times) {
            const what = `${recording} at ${time} s`;
            sinew("render", recording, "moment.png", "--time", String(time), ...size);
            const seen = await findCharacter("moment.png");
            first ??= seen.share;
            assert.ok(seen.share > 0.01, `${what}: ${(100 * seen.share).toFixed(2)} % of the picture`);
            assert.ok(seen.share > 0.5 * first, `${what}: as large as at the start`);
            near(seen.x, 0.5, 0.1, `${what}, across`);
            near(seen.y, 0.5, 0.15, `${what}, down`);
        }
    }
    sinew("render", "run.json", "frames/", "--from", "8", "--to", "8.1", "--fps", "10", ...size);
    for (const name of ["frames/00000.png", "frames/00001.png"]) {
        const seen = await findCharacter(name);
        assert.ok(seen.share > 0.01, name);
        near(seen.x, 0.5, 0.1, name);
    }
});

/* ------------------------------------------------------------------------------------------------------------ the run */

const failed = await runTests("report", tests);
await browser.close();
rmSync(room, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
