import { nodeRuntime, type Runtime, type Timers } from "latchkey/ports";

/** The time, the timers and the random values of a storage: Node's own until a service opens it, and those of the service then. */
export class StorageRuntime {
  #given: Pick<Runtime, "monotonic" | "random" | "timers"> = nodeRuntime;

  /** Takes the runtime of the service, where it hands one in. */
  adopt(given: Runtime | undefined): void {
    this.#given = given ?? this.#given;
  }

  get timers(): Timers {
    return this.#given.timers;
  }

  monotonic(): number {
    return this.#given.monotonic();
  }

  /** Draws bytes from a cryptographic source. */
  random(length: number): Buffer {
    return Buffer.from(this.#given.random(length));
  }

  /** Draws a number from 0 to 1, without 1, so that those who wait for each other do not meet again. */
  randomShare(): number {
    return this.random(4).readUInt32BE() / 2 ** 32;
  }
}
