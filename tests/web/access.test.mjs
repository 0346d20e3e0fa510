/* Whether everybody can use the pages: axe finds nothing on any of them, by day and by night, on a desk and on a phone; targets
 * on touch are 44 pixels; where the visitor wants less motion, nothing moves by itself.
 * usage: node tests/web/access.test.mjs [WORD ...]   only tests whose names have one of the words
 *   SINEW_WEB    the built pages (default build/web) */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { complaints, launch, quietPage, requireBrowser, runTests, serve, top } from "./browser.mjs";

const web = resolve(process.env.SINEW_WEB ?? join(top, "build/web")), axeFile = join(top, "web/node_modules/axe-core/axe.min.js");
const chromium = await requireBrowser("access", [
    [join(web, "sinew.wasm"), "there is no WebAssembly build (scripts/wasm.sh)"],
    [join(web, "learn/learn.js"), "the pages are not built (scripts/web.sh play)"],
    [axeFile, "axe-core is not here (scripts/web.sh test)"],
]);
const axe = readFileSync(axeFile, "utf8"), server = await serve(web, "/some/where/"), browser = await launch(chromium);
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function open(address, options = {}) {
    const page = await quietPage(browser, { viewport: { width: 1280, height: 720 }, ...options }, (url) => /^(data|blob):/.test(url) || url.startsWith(server.base));
    await page.goto(server.base + address);
    for (let tries = 0; tries < 600; tries++) {
        if (await page.evaluate(() => globalThis.sinew ? !!(sinew.shown ?? sinew.view?.last ?? sinew.racers?.[0]?.view.last) : !!document.querySelector("sinew-view")?.subject)) return page;
        await new Promise((done) => setTimeout(done, 100));
    }
    return assert.fail(`${address} shows nothing`);
}
async function close(page) {
    assert.deepEqual(complaints(page), []);
    await page.context().close();
}
async function violations(page) {
    await page.evaluate(axe); /* by the debugger: the pages' policy lets no such script in */
    return page.evaluate(async () => {
        const { violations } = await axe.run(document, { resultTypes: ["violations"] });
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary?.split("\n")[1] ?? ""}`).join("; ")}`);
    });
}

const pages = { "front": "?still", "play": "play/?still", "drive": "drive/?still", "learn": "learn/?still#race=1", "embed": "embed.html?motion=&paused" };
const failed = await runTests("access", [
    ...Object.entries(pages).map(([name, address]) => [`axe finds nothing: ${name}`, async () => {
        for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, { ...phone, colorScheme: "light" }]) {
            const page = await open(address, options);
            if (name === "drive") await page.click(".options summary");
            if (name === "play") await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
            assert.deepEqual(await violations(page), []);
            await close(page);
        }
    }]),
    ["targets on a phone are large enough for a finger", async () => {
        for (const name of ["front", "play", "drive", "learn"]) {
            const page = await open(pages[name], phone);
            const small = await page.evaluate(() => [...document.querySelectorAll("button, select, nav a, summary")].filter((one) => {
                const { width, height } = one.getBoundingClientRect();
                return width && height && (width < 43.5 || height < 43.5) && !one.closest("td");
            }).map((one) => `${one.id || one.textContent.trim().slice(0, 20)} ${one.getBoundingClientRect().width.toFixed(0)} x ${one.getBoundingClientRect().height.toFixed(0)}`));
            assert.deepEqual(small, [], name);
            await close(page);
        }
    }],
    ["with less motion wanted, pages wait", async () => {
        for (const name of ["play", "drive"]) {
            const page = await open(pages[name].replace("?still", ""), { reducedMotion: "reduce" });
            assert.equal(await page.evaluate(() => sinew.running), false, name);
            await close(page);
        }
    }],
]);
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
