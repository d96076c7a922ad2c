import type { Connections } from "../connections/connections.js";
import { type Position, readPosition } from "./replica-state.js";

/**
 * The position that a replica must have: that of the primary after the last commit of this process, and no older than the maximum
 * lag.
 */
export class RequiredPosition {
  readonly #primary: Connections;
  readonly #maxLagMs: number;
  #commits = 0;
  #known: { readonly commits: number; readonly time: number; readonly position: Promise<Position> } | undefined;

  constructor(primary: Connections, maxLagMs: number) {
    this.#primary = primary;
    this.#maxLagMs = maxLagMs;
  }

  noteCommit(): void {
    this.#commits++;
  }

  get(): Promise<Position> {
    const [known, commits, time] = [this.#known, this.#commits, this.#primary.runtime.monotonic()];
    if (known?.commits === commits && time - known.time <= this.#maxLagMs) return known.position;
    const position = this.#primary.read((client) => readPosition((query) => client.query(query)));
    this.#known = { commits, time, position };
    position.catch(() => {
      if (this.#known?.position === position) this.#known = undefined;
    });
    return position;
  }
}
