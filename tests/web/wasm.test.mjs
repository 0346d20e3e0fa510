/* The WebAssembly builds against the native strict build and against each other: 1,000 steps of the humanoid's run in
 * double, with contact inside MABA, by rows and without ground. Kernels and worlds must give the same bits for the
 * same targets; targets are sampled by each build itself as well, where libm may differ in the last digit.
 * Runs in node, without a browser.
 *   SINEW_WEB     folder with sinew.js, sinew.wasm and the plain ones (default build/web)
 *   SINEW_STRICT  folder of the native strict build (default build/strict) */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const top = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const web = path.resolve(process.env.SINEW_WEB ?? path.join(top, "build/web"));
const strict = path.resolve(process.env.SINEW_STRICT ?? path.join(top, "build/strict"));
const steps = 1000, dt = 1 / 240, names = ["contact inside MABA", "contact by rows", "no ground"]; /* as sn_contact_method */
const skip = (why) => {
    console.log(`wasm: skipped: ${why}`);
    process.exit(0);
};

if (!fs.existsSync(path.join(web, "sinew.wasm"))) skip("there is no WebAssembly build (scripts/wasm.sh)");

/* The program of web/wasm/trace_main.c writes targets and states as doubles. */
function native() {
    const library = path.join(strict, "libsinew.a");
    if (!fs.existsSync(library)) skip("there is no native strict build (make strict)");
    const libraries = fs.readFileSync(path.join(strict, "sinew.pc"), "utf8").match(/-l\S+/g).filter((flag) => flag !== "-lsinew");
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "sinew-trace-")), sources = ["trace.c", "trace_main.c"];
    try {
        execFileSync(process.env.CC ?? "cc", [
            "-std=gnu17", "-O1", "-ffp-contract=off", "-I", path.join(top, "include"), ...sources.map((name) => path.join(top, "web/wasm", name)),
            library, ...new Set(libraries), "-lm", "-lpthread", "-o", path.join(folder, "trace"),
        ]);
        execFileSync(path.join(folder, "trace"), [String(steps), path.join(folder, "out")]);
        const bytes = fs.readFileSync(path.join(folder, "out"));
        return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    } finally {
        fs.rmSync(folder, { recursive: true });
    }
}

async function load(name) {
    const { default: create } = await import(pathToFileURL(path.join(web, `${name}.js`)).href);
    return create({ wasmBinary: fs.readFileSync(path.join(web, `${name}.wasm`)) });
}

/* The last states, each of [nq + nv]; targets null: its own. */
function run(m, targets) {
    const size = m._trace_size(), rows = (steps + 1) * size, p = m._malloc(8 * (rows + size)), states = [];
    if (targets) m.HEAPF64.set(targets.subarray(0, rows), p >> 3);
    else if (m._trace_targets(steps, dt, p)) throw new Error("no targets");
    for (let contact = 0; contact < 3; contact++) {
        if (m._trace_run(contact, steps, dt, p, p + 8 * rows)) throw new Error(`${names[contact]}: a step failed`);
        states.push(m.HEAPF64.slice((p >> 3) + rows, (p >> 3) + rows + size));
    }
    m._free(p);
    return states;
}

const apart = (a, b) => a.reduce((worst, x, i) => Math.max(worst, Number.isFinite(x - b[i]) ? Math.abs(x - b[i]) : Infinity), 0);
const sameBits = (a, b) => Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(Buffer.from(b.buffer, b.byteOffset, b.byteLength));

/* Debian's node takes a .js file for a module only where a package.json says so; the page's folder has none. */
const note = path.join(web, "package.json"), noted = fs.existsSync(note);
if (!noted) fs.writeFileSync(note, '{"type":"module"}\n');
let failed = 0;
try {
    const truth = native(), builds = { sinew: await load("sinew"), "sinew-plain": await load("sinew-plain") };
    const size = builds.sinew._trace_size(), rows = (steps + 1) * size;
    for (const [name, m] of Object.entries(builds)) {
        const given = run(m, truth), own = run(m, null);
        names.forEach((what, i) => {
            const wanted = truth.slice(rows + i * size, rows + (i + 1) * size);
            const moved = apart(wanted, truth.subarray(0, size)), same = sameBits(given[i], wanted), far = apart(own[i], wanted);
            const good = moved > 0.1 && same && far < 1e-9;
            if (!good) failed++;
            console.log(`${good ? "ok  " : "FAIL"} ${name}, ${what}: ${same ? "same bits" : `${apart(given[i], wanted)} apart`} for the same targets; ${far.toExponential(1)} apart for its own`);
        });
    }
} finally {
    if (!noted) fs.rmSync(note);
}
process.exit(failed ? 1 : 0);
