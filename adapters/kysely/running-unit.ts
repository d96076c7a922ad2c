import { StorageUnavailable } from "latchkey/ports";

/** The statements of savepoints, which have a depth instead of a name. */
export interface SavepointControl {
  savepoint(depth: number): void;
  release(depth: number): void;
  /** Undoes what came after the savepoint, and releases it. */
  rollbackTo(depth: number): void;
}

/** What one unit of work may do besides its statements. */
export interface UnitOfWork {
  /** Whether its work has ended: what is still asked for in its name must not touch the work of others. */
  readonly isOver: boolean;
  /** Whether others wait for the transaction to end. Absent: none does. */
  readonly isAwaited?: (() => boolean) | undefined;
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  afterCommit(callback: () => void): void;
}

/** The depth of a unit itself; its savepoints lie deeper. */
const unitDepth = 1;

/** The database has undone the transaction by itself, as SQLite does when the disk is full, and all units in it. */
export class TransactionAborted extends StorageUnavailable {
  constructor(cause: unknown) {
    super("The database has undone the transaction.", { cause });
  }
}

/** One unit of work, from its start to the end of its work. */
export class RunningUnit implements UnitOfWork {
  readonly callbacks: (() => void)[] = [];
  readonly isAwaited: (() => boolean) | undefined;
  readonly #control: SavepointControl;
  /** How many callbacks there were when each open savepoint began. */
  readonly #open: number[] = [];
  #isOver = false;
  #loss: TransactionAborted | undefined;

  constructor(control: SavepointControl, isAwaited?: () => boolean) {
    this.#control = control;
    this.isAwaited = isAwaited;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Runs a unit that has the transaction to itself: the caller that began it rolls it back when `work` rejects. */
  runAlone<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    return work(this).finally(() => this.#end());
  }

  /** Runs a unit that shares the transaction; what it did is undone when `work` rejects. */
  async run<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    this.#control.savepoint(unitDepth);
    try {
      const value = await this.runAlone(work);
      this.#control.release(unitDepth);
      return value;
    } catch (error) {
      this.#isOver = true;
      this.#rollbackTo(unitDepth);
      throw error;
    }
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    if (this.#loss !== undefined) throw this.#loss;
    assertRunning(this);
    const depth = unitDepth + this.#open.length + 1;
    this.#control.savepoint(depth);
    this.#open.push(this.callbacks.length);
    try {
      const value = await work();
      assertRunning(this);
      this.#control.release(depth);
      this.#open.pop();
      return value;
    } catch (error) {
      if (!this.#isOver) this.#undoFrom(depth);
      throw error;
    }
  }

  afterCommit(callback: () => void): void {
    this.callbacks.push(callback);
  }

  /** Undoes the savepoints that are still open: one that nobody waited for is not finished. */
  undoOpen(): void {
    if (this.#open.length > 0) this.#undoFrom(unitDepth + 1);
  }

  #end(): void {
    this.undoOpen();
    this.#isOver = true;
  }

  #undoFrom(depth: number): void {
    this.callbacks.length = this.#open.splice(depth - unitDepth - 1)[0] ?? 0;
    this.#rollbackTo(depth);
  }

  #rollbackTo(depth: number): void {
    try {
      this.#control.rollbackTo(depth);
    } catch (cause) {
      this.#isOver = true;
      this.#loss = new TransactionAborted(cause);
      throw this.#loss;
    }
  }
}

/** @throws Error when the work of the unit has ended. */
export function assertRunning(unit: Pick<UnitOfWork, "isOver">): void {
  if (unit.isOver) throw new Error("The transaction is over.");
}
