/* Puts a script and a style sheet into a page, in place of the lines that name them, and above all of it the licence of
 * the library inside the script and the sum of the page's sources (scripts/web.sh).
 * usage: node inline.mjs page.html script.js style.css licence sum out.html */
import { readFileSync, writeFileSync } from "node:fs";

const [page, script, style, licence, sum, out] = process.argv.slice(2);
const text = (path) => readFileSync(path, "utf8");
const fill = (html, mark, content) => {
    const parts = html.split(mark);
    if (parts.length !== 2) throw new Error(`${page}: ${mark} must stand there once`);
    return parts.join(content);
};
/* What would end the element, or start a comment in it, must not stand in a script. */
const safe = text(script)
    .replace(/<\/(script)/gi, "<\\/$1")
    .replace(/<!--/g, "\\x3C!--");
/* The page is built, not read: no line of it is worth its own line. */
const tight = (html) => html.replace(/\n\s*/g, "\n").replace(/>\n</g, "> <");
let html = fill(tight(text(page)), "<!-- style -->", `<style>${text(style)}</style>`);
html = fill(html, "<!-- script -->", `<script>${safe}</script>`);
const notes = `sources: ${sum}\n\nThis page contains three.js:\n\n${text(licence).trim()}`;
writeFileSync(out, fill(html, "<!doctype html>", `<!doctype html>\n<!--\n${notes}\n-->`));
