/* A whole walk learned in Chromium, as a visitor would see it: seconds, samples per second, and the hash of the policy; and, if
 * the command is built, how well the policy does (sinew play).
 *   usage: node web/bench/learn.mjs [WORKERS] [LESSON]    1 worker and "walk" unless told
 *   SINEW_WEB, SINEW_COMMAND   the built pages (build/web), the command (build/release/cli/sinew) */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { launch, quietPage, requireBrowser, serve, top } from "../../tests/web/browser.mjs";

const [workers = "1", lesson = "walk"] = process.argv.slice(2);
const web = resolve(process.env.SINEW_WEB ?? join(top, "build/web")), command = resolve(process.env.SINEW_COMMAND ?? join(top, "build/release/cli/sinew"));
const chromium = await requireBrowser("learn", [[join(web, "sinew.wasm"), "there is no WebAssembly build (make web)"]]);
const server = await serve(web), browser = await launch(chromium), page = await quietPage(browser, {}, () => true);
await page.goto(`${server.base}?still&workers=${workers}`);
const until = async (condition) => {
    while (!(await page.evaluate(condition))) await new Promise((done) => setTimeout(done, 500));
};
await until(() => sinew.view?.last);
await page.selectOption("#what", lesson);
await page.click("#go");
let told = 0;
for (;;) {
    const now = await page.evaluate(() => ({ state: sinew.state, ...sinew.progress }));
    if (now.iterations >= told + 20 || now.state !== "learning") {
        told = now.iterations;
        console.log(`${now.iterations} iterations, ${Math.round(now.seconds)} s: ${now.onFeet.toFixed(1)} s on their feet, ${Math.round(now.samples / now.seconds)} samples/s, ${Math.round(now.memory / 2 ** 20)} MB per worker`);
    }
    if (now.state !== "learning") break;
    await new Promise((done) => setTimeout(done, 500));
}
const policy = join(mkdtempSync(join(tmpdir(), "sinew-learn-")), `${lesson}.sinew`);
writeFileSync(policy, Buffer.from(await page.evaluate(() => Array.from(sinew.policy))));
console.log(`${await page.evaluate(() => sinew.progress.hash)}  ${policy}`);
await browser.close();
server.close();
if (existsSync(command)) console.log(execFileSync(command, ["play", policy], { encoding: "utf8" }));
