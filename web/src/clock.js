/* Steps at their own rate, in a worker: run(true) starts, run(false) stops. rate(): steps per second; step(count) takes them. */
export function runClock(rate, step) {
    let running = false, due = 0, last = 0;
    setInterval(() => {
        if (!running || !rate()) return;
        const now = performance.now();
        due = Math.min(0.2, due + (now - last) / 1000); /* a slow machine shows slow motion, not leaps */
        last = now;
        const count = Math.floor(due * rate());
        due -= count / rate();
        if (count) step(count);
    }, 1000 / 60);
    return { run: (on) => ((running = on), (last = performance.now()), (due = 0)) };
}
