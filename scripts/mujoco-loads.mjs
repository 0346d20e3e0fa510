// Loads MJCF files in MuJoCo, as npm has it (npm install @mujoco/mujoco), and says which are refused and why.
// usage: node mujoco-loads.mjs FOLDER_OF_NODE_MODULES FILE...
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const module = await import(pathToFileURL(resolve(folder, "@mujoco/mujoco/mujoco.js")));
const mujoco = await module.default({ print: () => {}, printErr: () => {} });
let refused = 0;
for (const file of files) {
    try {
        mujoco.MjModel.from_xml_string(readFileSync(file, "utf8")).delete();
    } catch (error) {
        refused++;
        const why = typeof error === "number" && mujoco.getExceptionMessage ? mujoco.getExceptionMessage(error) : error;
        console.log(`${file}: ${String(why.message ?? why).split("\n")[0]}`);
    }
}
console.log(`${files.length - refused} of ${files.length} files load in MuJoCo ${mujoco.mj_versionString?.() ?? ""}`);
process.exit(refused ? 1 : 0);
