import type { World } from "./world.js";

/** The fields of an event besides the envelope. */
export type Fields = Readonly<Record<string, unknown>>;

/** A service to cause events on; they count from {@link begin} on. */
export interface Stage {
  readonly world: World;
  readonly begin: () => Promise<void>;
}

/** Causes an event once; returns its expected fields. */
export type Cause = (stage: Stage) => Promise<Fields>;
