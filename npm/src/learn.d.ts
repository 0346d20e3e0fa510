import type { Policy, Sinew } from "./index.js";

export type { Policy };

export interface Task {
    /** A built-in model and one of its motions. */
    model: string;
    motion: string;
    /** Everything random follows from it. */
    seed: number;
    copies: number;
}

export interface Progress {
    iterations: number;
    samples: number;
    /** Since the training started. */
    seconds: number;
    /** Mean duration of an episode, s; 0 in the first three iterations, which cannot tell. */
    onFeet: number;
    /** Mean reward per step. */
    reward: number;
    /** Of the policy so far. */
    hash: string;
}

/** Whoever trains this again gets the same policy, bit by bit. */
export interface Recipe extends Task {
    iterations: number;
    hash: string;
}

export interface TrainerOptions extends Partial<Task> {
    /** "auto": the cores but one, at most four. Their number does not change the policy. 0: in this thread. */
    workers?: number | "auto";
    /** How many iterations there are at most. */
    iterations?: number;
}

/** Trains while you iterate over it. Leaving the loop ends its workers. */
export declare class Trainer implements AsyncIterable<Progress> {
    constructor(options?: TrainerOptions);
    readonly task: Task;
    readonly workers: number;
    [Symbol.asyncIterator](): AsyncGenerator<Progress, void>;
    /** What was learned last. */
    policy(): Promise<Policy>;
}

/** A policy in a module of its own, from the bytes of a file that may come from anywhere. `sinew` names the module instead. */
export declare function parsePolicy(bytes: Uint8Array, options?: { sinew?: Sinew }): Promise<Policy>;
