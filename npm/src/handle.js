import { SinewError } from "./error.js";

/* What all handles share: a pointer into the module that is 0 when it has been freed. */
export class Handle {
    #pointer;
    #kind;

    constructor(sinew, kind, pointer) {
        this.sinew = sinew;
        this.#kind = kind;
        this.#pointer = pointer;
        Object.defineProperty(this, "sinew", { enumerable: false });
    }

    get pointer() {
        if (!this.#pointer) throw new SinewError("argument", `this ${this.#kind} has been freed`);
        return this.#pointer;
    }

    get freed() {
        return !this.#pointer;
    }

    free() {
        const pointer = this.#pointer;
        this.#pointer = 0;
        if (pointer) this.release(pointer);
    }

    [Symbol.dispose ?? Symbol.for("Symbol.dispose")]() {
        this.free();
    }
}
