import type { Sinew } from "./index.js";

export * from "./index.js";
/** As the default of "sinew"; the WebAssembly is inside the script. */
export default function loadSinew(): Promise<Sinew>;
