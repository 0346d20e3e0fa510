/* What the front door can teach, and its links. A recipe is everything a training follows from: whoever opens the link trains
 * the same policy again, bit by bit. What a link says is checked here: names are looked up, numbers are bounded. */
export const lessons = {
    walk: { model: "humanoid", motion: "walk", policy: "humanoid-walk.sinew" },
    run: { model: "humanoid", motion: "run", policy: "humanoid-run.sinew" },
    trot: { model: "dog", motion: "trot", policy: "dog-trot.sinew" },
};
export const mostIterations = 1000;

const whole = (text, low, high) => (/^\d{1,10}$/.test(text ?? "") && +text >= low && +text <= high ? +text : null);

/* { lesson, seed, iterations, hash }, or null if the address has no valid recipe. */
export function readRecipe(address) {
    const params = new URLSearchParams(address.replace(/^#/, "").slice(0, 500)), lesson = params.get("learn");
    const seed = whole(params.get("seed"), 0, 2 ** 32), iterations = whole(params.get("iterations"), 1, mostIterations);
    if (!Object.hasOwn(lessons, lesson ?? "") || seed === null || iterations === null) return null;
    const hash = params.get("hash");
    return { lesson, seed, iterations, hash: /^[0-9a-f]{16}$/.test(hash ?? "") ? hash : null };
}

export function writeRecipe({ lesson, seed, iterations, hash }) {
    return `#${new URLSearchParams({ learn: lesson, seed, iterations, ...(hash ? { hash } : {}) })}`;
}
