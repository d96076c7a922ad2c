// For speed alone: a host that makes users one by one in its transaction sends one statement for each instead of three (goal 34).
import type { SavepointControl } from "../../kysely/running-unit.js";
import type { PgQuery } from "./pg-types.js";

/** A record inserted without a savepoint, and what undoes that. */
interface Insert {
  /** The savepoint that it belongs to. */
  depth: number;
  readonly undo: PgQuery;
  /** Undefined until the database has answered. */
  isStored?: boolean;
}

/** How statements of a transaction are sent whose answer nobody needs. */
interface SavepointSender {
  sendControl(text: string): void;
  sendUndo(query: PgQuery): void;
  /** Called where it is not known what there is to undo. */
  lose(): void;
}

/**
 * Savepoints that are not sent before a statement needs one. A read needs none, nor does an insert of one record that stores the record or
 * nothing: it is undone by a removal.
 */
export class LazySavepoints implements SavepointControl {
  readonly #sender: SavepointSender;
  /** The depths of savepoints that are not sent yet, the outermost first. */
  #waiting: readonly number[] = [];
  /** The depths of those sent. */
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

  /** Sends those that wait, and all later ones at once. */
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

  /** Sends the savepoints that wait. */
  send(): void {
    for (const depth of this.#waiting) this.#sender.sendControl(`savepoint s${depth}`);
    if (this.#waiting.length > 0) this.#sent = [...this.#sent, ...this.#waiting];
    this.#waiting = [];
  }

  /** Runs an insert that `undo` undoes; answers how many records were stored. */
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

  // Whether the savepoint was sent. Those inside of it end with it.
  #leave(depth: number): boolean {
    const isSent = this.#sent.includes(depth);
    this.#waiting = this.#waiting.filter((waiting) => waiting < depth);
    this.#sent = this.#sent.filter((sent) => sent < depth);
    return isSent;
  }
}
