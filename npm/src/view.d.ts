/** <sinew-view model="humanoid" motion="run" controls>. Importing this module defines the element. */
export declare class SinewView extends HTMLElement {
    /** Resolves when the first picture is there. */
    readonly ready: Promise<unknown>;
    /** The scene from the start, as the attributes say. */
    restart(): Promise<void>;
    /** Simulates so many seconds. */
    advance(seconds: number): void;
    /** A shove that changes the speed of the whole mass by so many m/s. */
    push(x: number, y: number, speed?: number): void;
}
