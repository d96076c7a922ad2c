import { StorageUnavailable } from "latchkey/ports";

/** The savepoint statements of a connection, by depth instead of name. */
export interface SavepointControl {
  savepoint(depth: number): void;
  release(depth: number): void;
  rollbackTo(depth: number): void;
}

/** The functions of a unit of work besides its statements. */
export interface UnitOfWork {
  /** Whether the work has ended: its late statements must not affect other units. */
  readonly isOver: boolean;
  /** Whether others wait for the transaction to end. Absent: none do. */
  readonly isAwaited?: (() => boolean) | undefined;
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  afterCommit(callback: () => void): void;
}

/** The depth of a unit itself; its savepoints are deeper. */
const unitDepth = 1;

/** The database rolled the transaction and all its units back by itself, as SQLite does on a full disk. */
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
  /** The number of callbacks at the start of each open savepoint. */
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

  /** Runs a unit alone in its transaction: the caller rolls back when `work` rejects. */
  runAlone<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    return work(this).finally(() => this.#end());
  }

  /** Runs a unit in a shared transaction; rolls its changes back when `work` rejects. */
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

  /** Rolls back the open savepoints: the work did not await them. */
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
