import type { World } from "./world.js";

/** What an event says beside the envelope. */
export type Fields = Readonly<Record<string, unknown>>;

/** A service on which something is to be caused; events count from {@link begin} on. */
export interface Stage {
  readonly world: World;
  readonly begin: () => Promise<void>;
}

/** Causes an event once, and answers what it should say. */
export type Cause = (stage: Stage) => Promise<Fields>;
