// For speed only: a host that creates users one by one in its transaction sends one statement for each instead of three (goal
// 34 of docs/internals/performance.md).
import type { SavepointControl } from "../../kysely/running-unit.js";
import type { PgQuery } from "./pg-types.js";

/** A record inserted without a savepoint, and the statement that undoes it. */
interface Insert {
  /** The depth of its savepoint. */
  depth: number;
  readonly undo: PgQuery;
  /** Undefined until the database has responded. */
  isStored?: boolean;
}

/** Sends statements of a transaction without waiting for their response. */
interface SavepointSender {
  sendControl(text: string): void;
  sendUndo(query: PgQuery): void;
  /** Called when it is unknown which inserts to undo. */
  lose(): void;
}

/**
 * Savepoints that are sent only when a statement needs one. Reads do not, nor does an insert of one record that stores the record
 * or nothing: a delete undoes it.
 */
export class LazySavepoints implements SavepointControl {
  readonly #sender: SavepointSender;
  /** The depths of unsent savepoints, the outermost first. */
  #waiting: readonly number[] = [];
  /** The depths of sent savepoints. */
  #sent: readonly number[] = [];
  #inserts: readonly Insert[] = [];
  #isEager = false;

  constructor(sender: SavepointSender) {
    this.#sender = sender;
  }

  savepoint(depth: number): void {
    this.#waiting = [...this.#waiting, depth];
    if (this.#isEager) this.send();
  }

  /** Sends the waiting savepoints, and from now on each one at once. */
  stopWaiting(): void {
    this.#isEager = true;
    this.send();
  }

  release(depth: number): void {
    if (this.#leave(depth)) this.#sender.sendControl(`release s${depth}`);
    if (this.#waiting.length + this.#sent.length === 0) this.#inserts = [];
    for (const insert of this.#inserts) insert.depth = Math.min(insert.depth, depth - 1);
  }

  rollbackTo(depth: number): void {
    if (this.#leave(depth)) this.#sender.sendControl(`rollback to s${depth}; release s${depth}`);
    const undone = this.#inserts.filter((insert) => insert.depth >= depth);
    this.#inserts = this.#inserts.filter((insert) => insert.depth < depth);
    if (undone.some(({ isStored }) => isStored === undefined)) this.#sender.lose();
    for (const { isStored, undo } of undone.toReversed()) if (isStored) this.#sender.sendUndo(undo);
  }

  send(): void {
    for (const depth of this.#waiting) this.#sender.sendControl(`savepoint s${depth}`);
    if (this.#waiting.length > 0) this.#sent = [...this.#sent, ...this.#waiting];
    this.#waiting = [];
  }

  /** Runs an insert, undone by `undo`; returns the number of stored records. */
  async insert(run: () => Promise<number>, undo: PgQuery): Promise<number> {
    const depth = this.#waiting.at(-1);
    if (depth === undefined || this.#sent.length > 0) {
      this.send();
      return run();
    }
    const insert: Insert = { depth, undo };
    this.#inserts = [...this.#inserts, insert];
    try {
      const count = await run();
      insert.isStored = count > 0;
      return count;
    } catch (error) {
      insert.isStored = false;
      throw error;
    }
  }

  // Returns whether the savepoint was sent. Savepoints inside it end with it.
  #leave(depth: number): boolean {
    const isSent = this.#sent.includes(depth);
    this.#waiting = this.#waiting.filter((waiting) => waiting < depth);
    this.#sent = this.#sent.filter((sent) => sent < depth);
    return isSent;
  }
}
