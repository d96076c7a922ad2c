import { nodeRuntime, type Runtime, type Timers } from "latchkey/ports";

/** The clock, timers and random source of a storage: Node's own until a service opens the storage, then the service's. */
export class StorageRuntime {
  #given: Pick<Runtime, "monotonic" | "random" | "timers"> = nodeRuntime;

  /** Takes over the runtime of the service, if it passes one. */
  adopt(given: Runtime | undefined): void {
    this.#given = given ?? this.#given;
  }

  get timers(): Timers {
    return this.#given.timers;
  }

  monotonic(): number {
    return this.#given.monotonic();
  }

  /** Returns cryptographically secure random bytes. */
  random(length: number): Buffer {
    return Buffer.from(this.#given.random(length));
  }

  /** Returns a random number from 0 (inclusive) to 1 (exclusive), for jitter between competing waiters. */
  randomShare(): number {
    return this.random(4).readUInt32BE() / 2 ** 32;
  }
}
