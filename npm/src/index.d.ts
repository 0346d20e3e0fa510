import type { ContactPhase, Field, Status, WorldOptions } from "./schema.js";

export type * from "./schema.js";

/** A failure: `status` is the library's, `message` its sentence. */
export declare class SinewError extends Error {
    readonly status: Status;
}

export interface LoadOptions {
    /** The WebAssembly: its address or its bytes. Without it, the file of the package is used. */
    wasm?: string | URL | ArrayBuffer | Uint8Array;
}

/** Loads the library. Each call loads a module of its own. */
export default function loadSinew(options?: LoadOptions): Promise<Sinew>;

interface Disposes {
    /** Frees the memory that the garbage collector does not see. */
    free(): void;
    readonly freed: boolean;
    [Symbol.dispose](): void;
}

export interface Sinew {
    /** The version of the library, as "0.3.0". */
    readonly version: string;
    /** A built-in model: "humanoid", "dog", "snake", "mouse" and others. */
    model(name: string): Model;
    /** A model from files by name (MJCF, URDF, DeepMimic, JSON), and which of them is the model. */
    loadModel(files: Record<string, string | ArrayBuffer | Uint8Array>, main: string): Model;
    /** A built-in motion of a model: "walk", "run", "trot" and others. */
    motion(name: string, model: Model): Motion;
    world(options?: WorldOptions): World;
    /** A policy from the bytes of a file, which may come from anywhere. */
    policy(bytes: Uint8Array, recipe?: object | null): Policy;
}

export interface Policy extends Disposes {
    readonly bytes: Uint8Array;
    /** What it was trained by; null: unknown. See "sinew/learn". */
    readonly recipe: Record<string, unknown> | null;
    readonly observations: number;
    readonly actions: number;
    /** 16 hexadecimal digits of its bytes. */
    readonly hash: string;
    /** The action without noise. Several observations one after the other give as many actions. */
    act(observation: ArrayLike<number>): Float32Array;
}

/** Where a puppet goes, as the character sees it: m/s ahead and to the left, rad/s to the left. */
export interface Stick {
    ahead?: number;
    left?: number;
    turn?: number;
}

/** A character that a stick steers. It acts by itself before each step of its world. */
export interface Puppet extends Disposes {
    readonly member: Member;
    readonly copy: number;
    get stick(): Required<Stick>;
    /** It stays until you set it again. */
    set stick(stick: Stick);
    /** "gets_up" needs a policy for it. "limp": you let it go. */
    readonly mode: "goes" | "lies" | "gets_up" | "limp";
    /** The stick that it can follow at the moment. */
    readonly planned: Required<Stick>;
    /** The pose that it should have now [nq]. */
    readonly reference: Float64Array;
    /** Its state beside the world's, for rollback: keep it together with a snapshot of the world, and set both again. */
    state: Uint8Array;
    /** Lets it go: it is a ragdoll until the stick is set again. */
    letGo(): void;
}

export interface Model extends Disposes {
    /** Numbers of bodies, position values, and velocity values, which are the degrees of freedom. */
    readonly nbody: number;
    readonly nq: number;
    readonly nv: number;
    /** kg */
    readonly mass: number;
    /** Names of the bodies. */
    readonly bodies: readonly string[];
    /** The home pose [nq]. */
    readonly home: Float64Array;
    /** The index of a body by its name. */
    body(name: string | number): number;
}

export interface Motion extends Disposes {
    readonly model: Model;
    /** s */
    readonly duration: number;
    sample(time: number): { q: Float64Array; qd: Float64Array };
}

export interface Contact {
    copy: number;
    /** The two members; null is the ground. */
    members: [Member | null, Member | null];
    /** Their bodies, or the number of the ground. */
    bodies: [number, number];
    shapes: [number, number];
    phase: ContactPhase;
    /** Halfway between the surfaces, m. */
    pos: number[];
    /** From the second to the first. */
    normal: number[];
    /** m; negative: penetration. */
    gap: number;
    /** On the first body, N. */
    force: number[];
    sliding: boolean;
    slipSpeed: number;
}

export interface World extends Disposes {
    readonly copies: number;
    readonly members: readonly Member[];
    /** Seconds since the world was made. */
    readonly time: number;
    /** Duration of a substep, s. */
    set dt(seconds: number);
    readonly stats: { contacts: number; asleep: number; diverged: number };
    add(model: Model): Member;
    remove(member: Member): void;
    /** Adds the plane z = 0 and returns its number. */
    addFloor(): number;
    step(count?: number): void;
    /** Contacts of the last step in a copy; -1: in all of them. */
    contacts(copy?: number): Contact[];
    /** The whole world as bytes. Restoring them gives the same bits again. */
    snapshot(): Uint8Array;
    restore(bytes: Uint8Array): void;
    /** 16 hexadecimal digits made of all positions and velocities, bit by bit. */
    hash(): string;
}

type Numbers = ArrayLike<number>;

export interface Member {
    readonly world: World;
    readonly model: Model;
    /** [copies * nbody * 7] position xyz and quaternion wxyz of each body. It is valid until the next call. */
    readonly poses: Float32Array;
    /** Position and velocity in the first copy. */
    readonly state: { q: Float64Array; qd: Float64Array };
    /** Puts it on the ground in its home pose and keeps it there. */
    hold(gains?: { kp?: number; kd?: number }): void;
    /** Makes it a puppet. It must be the built-in humanoid, and stand; the step of its world must divide 1/30 s. */
    drive(policy: Policy, options?: { getUp?: Policy | null; copy?: number }): Puppet;
    /** Takes its targets from a motion; null: you set them. */
    follow(motion: Motion | null): void;
    setState(state: { q?: Numbers; qd?: Numbers }): void;
    setTarget(target: { q?: Numbers; qd?: Numbers }): void;
    setGains(gains: { kp?: Numbers; kd?: Numbers }): void;
    /** Pushes a body with a force (N) and a torque (N m) in world axes, for some seconds. */
    push(body: string | number, force: Numbers, seconds: number, torque?: Numbers | null): void;
    /** The values of a field in copies first .. first + count - 1. */
    get(field: Field, first?: number, count?: number): Float64Array;
    set(field: Field, values: Numbers, first?: number, count?: number): void;
}
