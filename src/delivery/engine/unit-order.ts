import type { DueUnit, LeasedUnit } from "./delivery-state.js";
import type { Work } from "./work.js";

/** What can be done with a unit and one of its receivers. */
export interface OrderActions<Unit extends LeasedUnit> {
  readonly send: (work: Work<Unit>, receiverId: string) => void;
  /** Gives it back until there is likely to be room. */
  readonly defer: (work: Work<Unit>, receiverId: string) => void;
  /** Gives it back until an instant, in epoch milliseconds. */
  readonly postpone: (work: Work<Unit>, receiverId: string, dueInstant: number) => void;
  /** Whether a unit may wait for a receiver that so many wait for already. */
  readonly hasRoom: (receiverId: string, waiting: number) => boolean;
}

/** Decides in which order units are sent. */
export interface UnitOrder<Unit extends LeasedUnit> {
  /** Puts units that are about to begin in order, and finds out what they have to wait for. */
  readonly arrange: (due: readonly DueUnit<Unit>[]) => Promise<readonly DueUnit<Unit>[]>;
  /** Adds a unit that is under way from now on. */
  readonly add: (work: Work<Unit>) => void;
  /** Drops a unit whose delivery state is stored. */
  readonly remove: (work: Work<Unit>) => void;
  /** Drops everything. */
  readonly clear: () => void;
  /** The units under way that are to be tried again at a receiver while they wait for another. */
  readonly late: () => readonly Unit[];
  /** Sends a unit that was arranged once no earlier one is in its way, or gives it back. */
  readonly place: (work: Work<Unit>, receiverId: string) => void;
  /** Continues with what waits for a unit that has ended for a receiver. */
  readonly next: (work: Work<Unit>, receiverId: string) => void;
}

/** Makes the order of a deliverer, which it acts on. */
export type CreateOrder<Unit extends LeasedUnit> = (actions: OrderActions<Unit>) => UnitOrder<Unit>;
