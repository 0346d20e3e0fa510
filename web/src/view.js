/* <sinew-view> for any page: <script type="module" src="sinew-view.js"></script>. The library is loaded from beside this file. */
import { loadEngine } from "./play_engine.js";
import { defineView } from "./view_element.js";

defineView(() => loadEngine({ base: new URL(".", import.meta.url) }));
