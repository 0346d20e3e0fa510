/* Where a camera has to look: the box that holds a character in all frames of a recording. Needs no browser.
 * usage: node tests/web/extent.test.mjs   with SINEW_COMMAND naming the sinew program (build/release/cli/sinew unless told) */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as recording from "../../web/src/report_recording.js";

const top = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const command = resolve(process.env.SINEW_COMMAND ?? join(top, "build/release/cli/sinew"));
if (!existsSync(command)) {
    console.log(`web extent: skipped: ${command} is not built`);
    process.exit(0);
}
const room = mkdtempSync(join(tmpdir(), "sinew-web-extent-"));
try {
    for (const motion of ["backflip", "cartwheel", "walk"]) {
        const file = join(room, "r.json");
        execFileSync(command, ["track", "humanoid", motion, "--record", file, "--rate", "30"], { stdio: "ignore" });
        const r = recording.readRecording(JSON.parse(readFileSync(file, "utf8"))),
            c = recording.mainCharacter(r),
            { low, high } = recording.extentOf(c),
            pose = new Float32Array(7 * c.model.bodies.length);
        for (let f = c.first; f < c.first + c.frames; f++) {
            recording.poseAt(c, f, 0, pose);
            for (let b = 0; b < c.model.bodies.length; b++)
                for (let k = 0; k < 3; k++) {
                    const x = pose[7 * b + k] - (k < 2 ? pose[k] : 0);
                    assert.ok(x >= low[k] - 0.05 && x <= high[k] + 0.05, `${motion}: frame ${f}, body ${b} is outside`);
                }
        }
        /* a backflip rises well above where it stands, and the box has that */
        if (motion === "backflip") assert.ok(high[2] - low[2] > 1.9, `its box is ${high[2] - low[2]} m high`);
    }
    console.log("web extent: characters stay in their boxes");
} finally {
    rmSync(room, { recursive: true });
}
