/* As "sinew", with the WebAssembly inside the script: one file more to download, none to find. */
import load from "./index.js";
import { base64 } from "./wasm_base64.js";

export * from "./index.js";

export default function loadSinew() {
    return load({ wasm: Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)) });
}
