/* Learning in the WebAssembly build, in node: any number of ranks gives the same policy, bit by bit, and a shipped policy
 * stands up to pushes and a ball where a walker without one falls.
 *   SINEW_WEB  folder with sinew.js and sinew.wasm (default build/web) */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Learner, OnFeet, Walkers, connect, hashOf, mostPolicyBytes } from "../../web/src/learn_core.js";
import { readRecipe, writeRecipe } from "../../web/src/recipe.js";
import { runTests, skip, top } from "./browser.mjs";

const web = path.resolve(process.env.SINEW_WEB ?? path.join(top, "build/web"));
if (!fs.existsSync(path.join(web, "sinew.wasm"))) skip("learn", "there is no WebAssembly build (scripts/wasm.sh)");
const { default: create } = await import(pathToFileURL(path.join(web, "sinew.js")).href);
const load = () => create({ wasmBinary: fs.readFileSync(path.join(web, "sinew.wasm")) });
const shipped = fs.readFileSync(path.join(top, "policies/humanoid-walk.sinew"));

/* Hashes of all ranks after so many iterations; each rank has a module of its own. */
async function learn(ranks, iterations, seed = 1) {
    const ports = Array.from({ length: ranks }, () => Array(ranks).fill(null));
    for (let a = 0; a < ranks; a++)
        for (let b = a + 1; b < ranks; b++) {
            const { port1, port2 } = new MessageChannel();
            ports[a][b] = port1;
            ports[b][a] = port2;
        }
    const one = async (rank) => {
        const module = await load();
        connect(module, ports[rank]);
        const learner = await Learner.create(module, { seed, rank, ranks });
        let progress;
        for (let i = 0; i < iterations; i++) progress = await learner.iterate();
        assert.equal(progress.iterations, iterations);
        return hashOf(learner.policy());
    };
    const hashes = await Promise.all(ports.map((_, rank) => one(rank)));
    ports.flat().forEach((port) => port?.close());
    return hashes;
}

function fallsOf(walkers, steps, act = () => {}) {
    let fell = 0;
    for (let i = 0; i < steps; i++) {
        act(i);
        fell += walkers.step();
    }
    return fell;
}

const failed = await runTests("learn", [
    ["a known hash", () => {
        assert.equal(hashOf(new TextEncoder().encode("")), "cbf29ce484222325");
        assert.equal(hashOf(new TextEncoder().encode("foobar")), "85944171f73967e8"); /* as FNV's authors have it */
    }],
    ["a recipe comes back from its link, and a bad link is none", () => {
        const recipe = { lesson: "walk", seed: 7, iterations: 120, hash: "0123456789abcdef" };
        assert.deepEqual(readRecipe(writeRecipe(recipe)), recipe);
        assert.ok(writeRecipe({ ...recipe, hash: null }).length < 60);
        assert.equal(readRecipe("#learn=walk&seed=1&iterations=20&hash=<b>").hash, null);
        for (const bad of ["", "#", "#learn=walk", "#learn=fly&seed=1&iterations=9", "#learn=__proto__&seed=1&iterations=9", "#learn=walk&seed=-1&iterations=9", "#learn=walk&seed=1&iterations=0",
            "#learn=walk&seed=1&iterations=1001", "#learn=walk&seed=1e3&iterations=9", "#learn=walk&seed=1&iterations=1.5", "#learn=walk&seed=99999999999&iterations=9", `#${"x".repeat(600)}&learn=walk&seed=1&iterations=9`])
            assert.equal(readRecipe(bad), null, bad);
    }],
    ["seconds on their feet: nothing at first, then time lived per episode", () => {
        const onFeet = new OnFeet(), add = (iterations, ended) => onFeet.add({ iterations, lived: 136, ended });
        for (const i of [1, 2, 3]) assert.equal(add(i, 0), 0);
        for (let i = 4; i < 40; i++) add(i, 136);
        assert.ok(Math.abs(add(40, 136) - 1) < 1e-9);
        for (let i = 41; i < 80; i++) add(i, 13.6);
        assert.ok(Math.abs(add(80, 13.6) - 10) < 0.05);
        assert.ok(Number.isFinite(add(81, 0)));
    }],
    ["20 iterations: one, two and three ranks give the same policy, another seed another", async () => {
        const [alone] = await learn(1, 20);
        for (const ranks of [2, 3]) assert.deepEqual(await learn(ranks, 20), Array(ranks).fill(alone));
        assert.notEqual((await learn(1, 20, 2))[0], alone);
    }],
    ["a shipped walker stands pushes and a ball; without a policy all fall", async () => {
        const module = await load(), walker = new Walkers(module, { copies: 1 }), crowd = new Walkers(module, { copies: 36 });
        assert.ok(walker.setPolicy(shipped));
        assert.equal(fallsOf(walker, 300, (i) => i % 60 === 59 && assert.ok(walker.push(0, [0, 1, 0], 0.6))), 0);
        assert.ok(walker.throwBall([2, 0, 1], [-5, 0, 1]));
        assert.equal(fallsOf(walker, 100), 0);
        assert.equal(fallsOf(walker, 60, (i) => i === 0 && assert.ok(walker.push(0, [0, 1, 0], 8))), 1); /* it can be felled */
        assert.ok(fallsOf(crowd, 100) >= 36);
        walker.free();
        crowd.free();
    }],
    ["what is no policy, or one too large, is refused", async () => {
        const module = await load(), walker = new Walkers(module, { copies: 1 });
        assert.ok(!walker.setPolicy(new Uint8Array(0)));
        assert.ok(!walker.setPolicy(shipped.subarray(0, shipped.length - 1)));
        assert.ok(!walker.setPolicy(new Uint8Array(mostPolicyBytes + 1)));
        assert.ok(!walker.setPolicy(fs.readFileSync(path.join(top, "policies/dog-trot.sinew"))));
        walker.free();
    }],
]);
process.exit(failed ? 1 : 0);
