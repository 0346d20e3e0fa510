// Asks the validator of Khronos (npm: gltf-validator) about a .glb file. Exits 0 when it finds no error and no warning, 1
// when it does, 77 when it is not installed.
const fs = require("fs");
const path = require("path");

function load() {
    for (const name of ["gltf-validator", path.join(__dirname, "../../web/node_modules/gltf-validator")]) {
        try {
            return require(name);
        } catch (missing) {
            continue;
        }
    }
    process.exit(77);
}

load()
    .validateBytes(new Uint8Array(fs.readFileSync(process.argv[2])))
    .then((report) => {
        const { numErrors, numWarnings, messages } = report.issues;
        for (const m of messages.filter((m) => m.severity < 2)) console.error(`${m.pointer}: ${m.code}: ${m.message}`);
        process.exit(numErrors + numWarnings > 0 ? 1 : 0);
    })
    .catch((reason) => {
        console.error(String(reason));
        process.exit(1);
    });
