/* The element <sinew-view>, drawn by three, which is a peer dependency: see web/src/view_element.js.
 *
 *   import "sinew/view"; */
import loadSinew from "./index.js";
import { Engine } from "../../web/src/play_engine.js";
import { defineView } from "../../web/src/view_element.js";

export const SinewView = defineView(async () => new Engine((await loadSinew()).module, true));
