/* A crowd that a worker simulates, so that the page can draw meanwhile. It looks like a Scene of play_engine.js, but it asks for
 * its steps, and it shows what has come last. crowd_show.js is the other side.
 *
 *   const scene = { copies, drawn, form, contact, dt, substeps };
 *   const crowd = new RemoteCrowd(pool or a promise of it, { model, motion, files, scene }, failed);
 *   crowd.step(2); crowd.busy; crowd.pose; await crowd.idle(); */
export class RemoteCrowd {
    constructor(pool, make, failed = () => {}) {
        const { copies, drawn } = make.scene;
        this.copies = copies;
        this.drawn = Math.min(drawn, copies);
        this.time = this.diverged = this.stepTime = this.waiting = 0;
        this.pose = null; /* Float32Array [drawn * nbody * 7], once it has come */
        this.lanes = "";
        this.waiters = [];
        this.waiting = 1;
        this.ready = Promise.resolve(pool).then((loaded) => this.#begin(loaded, make, failed)).catch(failed);
    }

    #begin(pool, make, failed) {
        if (this.freed) return;
        this.pool = pool;
        this.worker = pool.start({ role: "crowd", make });
        this.worker.onmessage = ({ data }) => {
            if (data.error) failed(new Error(data.error));
            else Object.assign(this, data);
            if (this.waiting > 0 && --this.waiting === 0) this.waiters.splice(0).forEach((done) => done());
        };
        this.worker.onerror = (event) => failed(event);
    }

    #order(name, value) {
        this.ready.then(() => this.worker?.postMessage([name, value]));
    }

    /* Whether it has not answered yet. */
    get busy() {
        return this.waiting > 0;
    }

    idle() {
        return this.busy ? new Promise((done) => this.waiters.push(done)) : Promise.resolve();
    }

    step(count) {
        this.waiting++;
        this.#order("step", count);
    }

    setGains(gains) {
        this.#order("gains", gains);
    }

    setReaction(on) {
        this.#order("reaction", on);
    }

    push(x, y, speed) {
        this.#order("push", [x, y, speed]);
    }

    look() {} /* what has come is there */

    free() {
        this.freed = true;
        if (this.worker) this.pool.stop(this.worker);
        this.waiters.splice(0).forEach((done) => done());
    }
}
