/* Policies, and characters that a stick steers.
 *
 *   const go = sinew.policy(bytes);               // of `sinew train humanoid stick`; "sinew/policies" has one
 *   const puppet = human.drive(go, { getUp });
 *   puppet.stick = { ahead: 1.2, left: 0, turn: 0.5 };   // m/s, m/s, rad/s, as the character sees them
 *   world.step(8);                                // puppets act before each step
 *   puppet.mode; puppet.letGo(); puppet.free(); */
import { SinewError } from "./error.js";
import { Handle } from "./handle.js";
import { hashOf, mostPolicyBytes } from "./learn_core.js";

export class Policy extends Handle {
    #users = 0;
    #waiting = 0;

    constructor(sinew, bytes, recipe = null) {
        if (bytes.length > mostPolicyBytes) throw new SinewError("too_large", "the policy is larger than 4 MB");
        const m = sinew.module, p = m._malloc(bytes.length || 1);
        m.HEAPU8.set(bytes, p);
        const pointer = m._sn_policy_parse(p, bytes.length, sinew.error);
        m._free(p);
        super(sinew, "policy", sinew.take(pointer));
        const room = m._malloc(8);
        m._pack_policy_info(pointer, room);
        [this.observations, this.actions] = new Int32Array(m.HEAPU8.buffer, room, 2);
        m._free(room);
        this.bytes = Uint8Array.from(bytes);
        this.recipe = recipe;
    }

    /* The action without noise; several observations one after the other give as many actions. */
    act(observation) {
        const m = this.sinew.module, { pointer } = this, rows = observation.length / this.observations;
        if (!Number.isInteger(rows) || !rows) throw new SinewError("argument", `${observation.length} values where multiples of ${this.observations} are needed`);
        const p = m._malloc(4 * (observation.length + rows * this.actions)), out = (p >> 2) + observation.length;
        m.HEAPF32.set(observation, p >> 2);
        m._sn_policy_act(pointer, rows, p, 4 * out);
        const action = m.HEAPF32.slice(out, out + rows * this.actions);
        m._free(p);
        return action;
    }

    get hash() {
        return hashOf(this.bytes);
    }

    /* Puppets keep a policy alive that was freed before them. */
    use(count) {
        this.#users += count;
        if (this.#waiting && !this.#users) this.sinew.module._sn_policy_free(this.#waiting), (this.#waiting = 0);
    }

    release(pointer) {
        if (this.#users) this.#waiting = pointer;
        else this.sinew.module._sn_policy_free(pointer);
    }
}

const modes = ["goes", "lies", "gets_up", "limp"]; /* as sn_puppet_mode */

export class Puppet extends Handle {
    #policies;
    #stick = { ahead: 0, left: 0, turn: 0 };

    constructor(member, go, getUp, copy) {
        const { world } = member, { sinew } = world, policies = [go, getUp].filter(Boolean);
        for (const policy of policies) if (policy.sinew !== sinew) throw new SinewError("argument", "the policy was made by another module: use sinew.policy(bytes)");
        if (world.puppets.some((one) => one.member === member && one.copy === copy)) throw new SinewError("argument", "this member has a puppet already");
        super(sinew, "puppet", sinew.take(sinew.module._sn_puppet_create(world.pointer, member.handle, copy, go.pointer, getUp ? getUp.pointer : 0, sinew.error)));
        this.member = member;
        this.copy = copy;
        this.#policies = policies;
        for (const policy of policies) policy.use(1);
        world.puppets.push(this);
    }

    /* Where to go, as the character sees it: m/s ahead and to the left, rad/s to the left. It stays until you set it again. */
    get stick() {
        return { ...this.#stick };
    }

    set stick({ ahead = 0, left = 0, turn = 0 }) {
        this.#stick = { ahead, left, turn };
        this.sinew.lend([[ahead, left, turn]], (p) => this.sinew.module._sn_puppet_stick(this.pointer, p));
    }

    /* Lets it go: a ragdoll, until the stick is set again. */
    letGo() {
        this.sinew.module._sn_puppet_stick(this.pointer, 0);
    }

    /* "goes", "lies", "gets_up" or "limp". */
    get mode() {
        return modes[this.sinew.module._sn_puppet_get(this.pointer, 0, 0)];
    }

    /* The stick that it can follow at the moment. */
    get planned() {
        const [ahead, left, turn] = this.sinew.borrow(3, (p) => this.sinew.module._sn_puppet_get(this.pointer, p, 0));
        return { ahead, left, turn };
    }

    /* The pose that it should have now, [nq]. */
    get reference() {
        return this.sinew.borrow(this.member.model.nq, (p) => this.sinew.module._sn_puppet_get(this.pointer, 0, p));
    }

    /* Its state beside the world's, as bytes: keep them together with a snapshot of the world, and set both again. */
    get state() {
        return this.#state((p, size) => this.sinew.module.HEAPU8.slice(p, p + size));
    }

    set state(bytes) {
        this.#state((p, size) => {
            if (bytes.length !== size) throw new SinewError("argument", `${bytes.length} bytes where ${size} are needed`);
            this.sinew.module.HEAPU8.set(bytes, p);
        });
    }

    #state(use) {
        const m = this.sinew.module, room = m._malloc(8);
        const p = m._sn_puppet_state(this.pointer, room), size = new Uint32Array(m.HEAPU8.buffer, room, 1)[0];
        m._free(room);
        return use(p, size);
    }

    release(pointer) {
        const { world } = this.member;
        world.puppets = world.puppets.filter((one) => one !== this);
        this.sinew.module._sn_puppet_free(pointer);
        for (const policy of this.#policies) policy.use(-1);
    }
}

/* Before each step of their world: they set the targets of their drives. */
export function stepPuppets(sinew, puppets) {
    const m = sinew.module, list = m._malloc(4 * puppets.length);
    try {
        new Uint32Array(m.HEAPU8.buffer, list, puppets.length).set(puppets.map((puppet) => puppet.pointer));
        if (m._sn_puppets_step(list, puppets.length, sinew.error)) sinew.take(0);
    } finally {
        m._free(list);
    }
}
