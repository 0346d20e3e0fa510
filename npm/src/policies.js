/* The policies that come with the project, as bytes for sinew.policy().
 *
 *   import { policyBytes } from "sinew/policies";
 *   const go = sinew.policy(await policyBytes("humanoid-stick")); */
import { SinewError } from "./error.js";

/* One address after the other, as bundlers know them. */
const files = {
    "humanoid-stick": () => new URL("./policies/humanoid-stick.sinew", import.meta.url),
    "humanoid-get-up": () => new URL("./policies/humanoid-get-up.sinew", import.meta.url),
};

export async function policyBytes(name) {
    if (!Object.hasOwn(files, name)) throw new SinewError("argument", `there is no policy "${name}"; there are ${Object.keys(files).join(", ")}`);
    const url = files[name]();
    if (url.protocol === "file:") {
        const disk = "node:fs/promises"; /* a name that bundlers do not follow */
        const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ disk);
        return new Uint8Array(await readFile(url));
    }
    const response = await fetch(url);
    if (!response.ok) throw new SinewError("file", `${url}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
}
