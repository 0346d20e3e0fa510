/* A worker of "sinew/learn": one rank of a training. */
import createModule from "./sinew.js";
import { trainRank } from "./learn_rank.js";

onmessage = ({ data }) => {
    onmessage = null;
    createModule({ wasmBinary: data.wasm })
        .then((module) => trainRank(module, data, (message, transfer = []) => postMessage(message, transfer)))
        .catch((error) => postMessage({ error: error.message }));
};
