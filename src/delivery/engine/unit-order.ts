import type { DueUnit, LeasedUnit } from "./delivery-state.js";
import type { Work } from "./work.js";

/** The actions on a unit for one of its receivers. */
export interface OrderActions<Unit extends LeasedUnit> {
  readonly send: (work: Work<Unit>, receiverId: string) => void;
  /** Gives it back until there is likely to be room. */
  readonly defer: (work: Work<Unit>, receiverId: string) => void;
  /** Gives it back until an instant, in epoch milliseconds. */
  readonly postpone: (work: Work<Unit>, receiverId: string, dueInstant: number) => void;
  /** Whether a unit may wait for a receiver for which `waiting` units wait already. */
  readonly hasRoom: (receiverId: string, waiting: number) => boolean;
}

/** The order in which units are sent. */
export interface UnitOrder<Unit extends LeasedUnit> {
  /** Sorts units before they start, and finds the earlier units that they wait for. */
  readonly arrange: (due: readonly DueUnit<Unit>[]) => Promise<readonly DueUnit<Unit>[]>;
  /** Adds a unit that is in flight from now on. */
  readonly add: (work: Work<Unit>) => void;
  /** Drops a unit after its delivery state is stored. */
  readonly remove: (work: Work<Unit>) => void;
  readonly clear: () => void;
  /** The units in flight that are due for a retry at one receiver while another is open. */
  readonly late: () => readonly Unit[];
  /** Sends an arranged unit once no earlier one blocks it, or gives it back. */
  readonly place: (work: Work<Unit>, receiverId: string) => void;
  /** Continues with the next unit after one that has ended for a receiver. */
  readonly next: (work: Work<Unit>, receiverId: string) => void;
}

/** Creates the order of a deliverer. */
export type CreateOrder<Unit extends LeasedUnit> = (actions: OrderActions<Unit>) => UnitOrder<Unit>;
