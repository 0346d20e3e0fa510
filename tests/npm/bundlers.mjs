/* The npm package as its users have it: packed, installed into five fresh projects (node, Vite, webpack, rollup, a plain script
 * tag) and run there; read by publint and by attw. `make test-npm` runs this. tests/web/npm.test.mjs is the short form.
 * usage: node tests/npm/bundlers.mjs [WORD ...]   only tests whose names have one of the words
 *   SINEW_WEB  the WebAssembly build (default build/web) */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { complaints, launch, quietPage, requireBrowser, runTests, serve, skip, top } from "../web/browser.mjs";

const web = resolve(process.env.SINEW_WEB ?? join(top, "build/web")), tools = join(top, "web/node_modules"), own = join(top, "tests/npm/node_modules");
if (!existsSync(join(web, "sinew.wasm"))) skip("bundlers", "there is no WebAssembly build (make web)");
if (!existsSync(join(own, "webpack"))) skip("bundlers", "the bundlers are not here (npm ci in tests/npm)");
const said = execFileSync(join(top, "scripts/npm.sh"), [web], { encoding: "utf8" });
if (/skipped/.test(said)) skip("bundlers", said.trim());
console.log(said.trim());
const archive = join(top, "build/npm", readdirSync(join(top, "build/npm")).find((name) => name.endsWith(".tgz")));
const chromium = await requireBrowser("bundlers", []), browser = await launch(chromium);
const room = mkdtempSync(join(tmpdir(), "sinew-bundlers-"));

function project(name, type = "module") {
    const folder = join(room, name);
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, type }));
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--legacy-peer-deps", "--loglevel=error", archive], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    symlinkSync(join(tools, "three"), join(folder, "node_modules/three"));
    return folder;
}
const run = (folder, program, ...args) => execFileSync(process.execPath, [program, ...args], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

/* Stands, is pushed, and is steered by a puppet: two hashes, that of a policy learned by two workers, and the element. */
const work = (inline) => `
import loadSinew from "sinew${inline ? "/inline" : ""}";
import { Trainer } from "sinew/learn";
import { policyBytes } from "sinew/policies";
export async function work({ workers, bytes }) {
    const sinew = await loadSinew(), world = sinew.world({ dt: 1 / 240 }), human = world.add(sinew.model("humanoid"));
    world.addFloor();
    human.hold({ kp: 1000, kd: 100 });
    world.step(240);
    human.push(0, [150, 0, 0], 0.1);
    world.step(240);
    const first = world.hash(), go = sinew.policy(bytes ?? (await policyBytes("humanoid-stick"))), other = sinew.world({ dt: 1 / 240 }), puppet = other.add(sinew.model("humanoid"));
    other.addFloor();
    puppet.hold();
    puppet.drive(go).stick = { ahead: 1.2 };
    other.step(480);
    let policy = null;
    if (workers !== null) for await (const progress of new Trainer({ seed: 1, iterations: 2, workers })) policy = progress.hash;
    return { first, second: other.hash(), ahead: puppet.state.q[0] > 1, policy };
}`;
const page = (script) => `<!doctype html><link rel="icon" href="data:,">${script}`;
const start = (workers) => `import { work } from "./work.js"; work({ workers: ${workers} }).then((result) => (window.result = result), (error) => (window.result = { error: String(error.stack) }));`;
let wanted = null;

async function inBrowser(folder, path = "/below/here/") {
    const server = await serve(folder, path), tab = await quietPage(browser, {}, (url) => /^(data|blob):/.test(url) || url.startsWith(server.base));
    await tab.goto(server.base);
    await tab.waitForFunction(() => window.result, null, { timeout: 120000 }).catch((error) => {
        throw new Error(`${error.message}\n${tab.noise.join("\n")}`);
    });
    const result = await tab.evaluate(() => window.result);
    assert.deepEqual(complaints(tab), []);
    await tab.context().close();
    server.close();
    return result;
}

const failed = await runTests("bundlers", [
    ["publint and attw have nothing to say", () => {
        const text = run(top, join(own, "publint/src/cli.js"), "build/npm/package", "--strict");
        assert.match(text, /All good/);
        run(top, join(own, "@arethetypeswrong/cli/dist/index.js"), archive, "--profile", "esm-only", "--exclude-entrypoints", "sinew.wasm", "policies/humanoid-stick.sinew", "policies/humanoid-get-up.sinew");
    }],
    ["in node", () => {
        const folder = project("in-node");
        writeFileSync(join(folder, "work.js"), work(false));
        writeFileSync(join(folder, "main.js"), `import { work } from "./work.js"; console.log(JSON.stringify(await work({ workers: "auto" })));`);
        wanted = JSON.parse(run(folder, "main.js"));
        assert.ok(wanted.ahead);
        console.log(`  ${wanted.first} ${wanted.second} ${wanted.policy}`);
    }],
    ["in Vite", async () => {
        const folder = project("in-vite");
        writeFileSync(join(folder, "work.js"), work(false));
        writeFileSync(join(folder, "main.js"), start(2));
        writeFileSync(join(folder, "index.html"), page(`<script type="module" src="main.js"></script>`));
        writeFileSync(join(folder, "vite.config.js"), `export default { base: "./", logLevel: "warn", worker: { format: "es" }, build: { target: "es2022", chunkSizeWarningLimit: 4000 } };`);
        run(folder, join(tools, "vite/bin/vite.js"), "build");
        assert.deepEqual(await inBrowser(join(folder, "dist")), wanted);
    }],
    ["in webpack", async () => {
        const folder = project("in-webpack");
        writeFileSync(join(folder, "work.js"), work(false));
        writeFileSync(join(folder, "main.js"), start(2));
        writeFileSync(join(folder, "webpack.config.js"), `export default { mode: "production", entry: "./main.js", target: ["web", "es2022"], experiments: { outputModule: true }, output: { module: true, filename: "[name].js", publicPath: "auto" }, performance: { hints: false }, stats: "errors-warnings" };`);
        run(folder, join(own, "webpack/bin/webpack.js"));
        writeFileSync(join(folder, "dist/index.html"), page(`<script type="module" src="main.js"></script>`));
        assert.deepEqual(await inBrowser(join(folder, "dist")), wanted);
    }],
    ["in rollup", async () => {
        const folder = project("in-rollup");
        writeFileSync(join(folder, "work.js"), work(true));
        writeFileSync(join(folder, "main.js"), start(0));
        writeFileSync(join(folder, "rollup.config.js"), `import resolve from ${JSON.stringify(join(own, "@rollup/plugin-node-resolve/dist/es/index.js"))};
import { importMetaAssets } from ${JSON.stringify(join(own, "@web/rollup-plugin-import-meta-assets/index.mjs"))};
export default { input: "main.js", output: { dir: "dist", format: "es" }, plugins: [resolve({ browser: true }), importMetaAssets()] };`);
        run(folder, join(own, "rollup/dist/bin/rollup"), "-c", "--silent");
        writeFileSync(join(folder, "dist/index.html"), page(`<script type="module" src="main.js"></script>`));
        assert.deepEqual(await inBrowser(join(folder, "dist")), wanted);
    }],
    ["by a plain script tag, from the files of the package", async () => {
        const folder = project("by-tag");
        const files = join(folder, "files");
        cpSync(join(folder, "node_modules/sinew"), join(files, "sinew"), { recursive: true });
        writeFileSync(join(files, "work.js"), work(false).replace(/from "sinew(\/?)([a-z]*)"/g, (_, slash, name) => `from "./sinew/${name || "index"}.js"`));
        writeFileSync(join(files, "index.html"), page(`<script type="module">${start(2)}</script>`));
        assert.deepEqual(await inBrowser(files), wanted);
    }],
]);
await browser.close();
rmSync(room, { recursive: true });
process.exit(failed ? 1 : 0);
