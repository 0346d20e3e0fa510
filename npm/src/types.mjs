/* Writes what the package knows of the library's interface, from `sinew schema --json` on its input: schema.js with the names of
 * fields, statuses and phases, schema.d.ts with their types and those of definitions.
 * usage: sinew schema --json | node types.mjs FOLDER */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2], schema = JSON.parse(readFileSync(0, "utf8"));
const find = (list, name) => schema[list].find((entry) => entry.name === name) ?? fail(`${name} is not in the schema`);
const fail = (why) => {
    throw new Error(why);
};
const union = (words) => words.map((word) => JSON.stringify(word)).join(" | ");
const pascal = (name) => name.replace(/^sn_/, "").replace(/(^|_)(\w)/g, (_, __, letter) => letter.toUpperCase());
const comment = (text, indent = "") => `${indent}/** ${text.replaceAll("*/", "* /")} */\n`;

const statuses = [];
for (const { name, value } of schema.statuses) statuses[value] = name.replace(/^SN_(ERROR_)?/, "").toLowerCase();
const fields = [];
for (const { word, value } of schema.fields) fields[value] = word;
const phases = find("enumerations", "sn_contact_phase").values.map((value) => value.word);
writeFileSync(join(folder, "schema.js"), `/* Written by npm/src/types.mjs. */
export const statuses = ${JSON.stringify(statuses)};
export const fields = ${JSON.stringify(fields)};
export const phases = ${JSON.stringify(phases)};
`);

/* What the members of a definition can be in JSON; pointers to functions and to other structures cannot. */
function typeOf({ type, enumeration, count }) {
    const one = { int: "number", bits: "number", seed: "number", real: "number", flag: "boolean", text: "string" }[type] ?? (type === "choice" ? pascal(enumeration) : null);
    return one && count > 1 ? `readonly [${Array(count).fill(one).join(", ")}]` : one;
}
const world = find("definitions", "sn_world_def");
const used = new Set(world.options.map((option) => option.enumeration).filter(Boolean));
let text = "/* Written by npm/src/types.mjs from `sinew schema --json`. */\n";
text += `${comment("Why something failed.")}export type Status = ${union(statuses.slice(1))};\n`;
text += `${comment("The values of a member that can be read or set.")}export type Field = ${union(fields)};\n`;
text += `${comment("What happened to a contact in the last step.")}export type ContactPhase = ${union(phases)};\n`;
for (const name of used) {
    const { values, text: about } = find("enumerations", name);
    text += `${about ? comment(about) : ""}export type ${pascal(name)} = ${union(values.map((value) => value.word))};\n`;
}
text += `${comment(`How a world is made. ${world.text ?? ""}`.trim())}export interface WorldOptions {\n`;
for (const option of world.options) {
    const type = typeOf(option);
    if (!type || option.name === "struct_size" || option.name === "threads") continue;
    text += `${comment(`${option.text}${option.unit ? ` [${option.unit}]` : ""} Default: ${JSON.stringify(option.default)}.`, "    ")}    ${option.name}?: ${type};\n`;
}
writeFileSync(join(folder, "schema.d.ts"), `${text}}\n`);
