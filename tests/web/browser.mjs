/* What the tests of the pages share: the browser they run in, and pages that must be quiet. */
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const top = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const shots = resolve(process.env.SINEW_SHOTS ?? join(top, "build/web/shots"));

/* Ends the program: what it tests cannot run here. */
export function skip(test, why) {
    console.log(`web ${test}: skipped: ${why}`);
    process.exit(0);
}

function findChromium() {
    const names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    if (process.env.SINEW_CHROMIUM) return process.env.SINEW_CHROMIUM;
    for (const folder of (process.env.PATH ?? "").split(":"))
        for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
    return null;
}

const executablePath = findChromium();

/* Skips the test if the browser, its driver or one of the files that it needs is not here: [[path, why], ...]. */
export async function requireBrowser(test, files) {
    if (!executablePath) skip(test, "chromium is not here (Debian: chromium)");
    for (const [path, why] of files) if (!existsSync(path)) skip(test, why);
    const playwright = pathToFileURL(join(top, "web/node_modules/playwright-core/index.mjs"));
    const missing = () => skip(test, "playwright-core is not here (scripts/web.sh test)");
    return (await import(playwright).catch(missing)).chromium;
}

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".webp": "image/webp" };

/* A folder on a free port, below a path, without any special header. Returns { base, close }. */
export async function serve(folder, path = "/") {
    const server = createServer((request, response) => {
        const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
        let file = join(folder, name.slice(path.length - 1));
        if (file.startsWith(folder) && existsSync(file) && statSync(file).isDirectory() && name.endsWith("/")) file = join(file, "index.html");
        if (!name.startsWith(path) || !file.startsWith(folder) || !existsSync(file) || statSync(file).isDirectory()) return response.writeHead(404).end();
        response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
        createReadStream(file).pipe(response);
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    return { base: `http://127.0.0.1:${server.address().port}${path}`, close: () => server.close() };
}

/* Chromium says so of every page drawn by software. */
const ownNoise = /GPU stall|GL Driver Message|swiftshader/i;
export const complaints = (page) => page.noise.filter((line) => !ownNoise.test(line));

/* It draws by software. */
export function launch(chromium) {
    const args = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
    return chromium.launch({ executablePath, args });
}

/* A new page. Its `noise` gathers what it complains of, and every address it asks for that is not `known`. */
export async function quietPage(browser, options, known) {
    const page = await (await browser.newContext(options)).newPage();
    const noise = (page.noise = []);
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && noise.push(message.text()));
    page.on("pageerror", (error) => noise.push(String(error.stack)));
    page.on("request", (request) => known(request.url()) || noise.push(`asked for ${request.url()}`));
    return page;
}

/* Runs tests, [[name, run], ...]; with words on the command line only those whose names have one of them. Returns how many
   failed. */
export async function runTests(title, tests) {
    const words = process.argv.slice(2);
    const chosen = tests.filter(([name]) => words.length === 0 || words.some((word) => name.includes(word)));
    let failed = 0;
    for (const [name, run] of chosen)
        try {
            await run();
            console.log(`ok      ${name}`);
        } catch (error) {
            failed++;
            console.log(`FAILED  ${name}\n${error.stack}`);
        }
    console.log(`web ${title}: ${chosen.length - failed} of ${chosen.length} passed`);
    return failed;
}
