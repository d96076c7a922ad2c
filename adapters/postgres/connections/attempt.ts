import { StorageUnavailable } from "latchkey/ports";
import { assertRunning, RunningUnit } from "../../kysely/running-unit.js";
import type { PgClientLike, PgQuery, PgResult } from "./pg-types.js";
import { isBroken, isConflict, isConstraint, toUnavailable } from "./pg-types.js";
import { LazySavepoints } from "./savepoints.js";

/** How many inserts are sent without waiting. Twice as many are under way at most. */
const maxAhead = 16;

/**
 * One run of a transaction's work, or of that of several, on one connection. The statements around it (its beginning, savepoints) and
 * those whose answer nobody needs are sent ahead where the connection allows; what fails of them makes the next statement or the commit
 * fail.
 */
export class Attempt {
  readonly #client: PgClientLike;
  readonly #onCommit: () => void;
  #unit: RunningUnit;
  readonly #savepoints = new LazySavepoints({
    sendControl: (text) => this.#sendControl(text),
    sendUndo: (query) => this.#sendAhead(query, toUnavailable),
    lose: () => {
      this.#loss ??= new StorageUnavailable("A call was undone before the database had answered it.");
    },
  });
  /** The last statement around the work, where statements are sent one after the other. */
  #control: Promise<unknown> | undefined;
  #failure: unknown;
  #conflict: unknown;
  #loss: unknown;
  #isFateUnknown = false;
  #ahead = 0;
  /** Whether an answer is awaited that may undo the transaction. */
  #isExpecting = false;
  /** The last of the inserts that were sent in one piece before the present ones. */
  #lastAhead: Promise<unknown> | undefined;

  /** Calls `onCommit` once the database may have committed, before anybody hears of it. */
  constructor(client: PgClientLike, onCommit: () => void) {
    this.#client = client;
    this.#onCommit = onCommit;
    this.#unit = new RunningUnit(this.#savepoints);
  }

  /** The unit whose work runs. */
  get unit(): RunningUnit {
    return this.#unit;
  }

  /** Whether all that was asked has been done so far. */
  get isSound(): boolean {
    return this.#failure === undefined && this.#conflict === undefined && this.#loss === undefined;
  }

  /** Whether the answer to the commit was lost, so that its result is unknown. */
  get isFateUnknown(): boolean {
    return this.#isFateUnknown;
  }

  /** The next unit, which runs when the work of the one before is over. */
  beginUnit(): RunningUnit {
    this.#unit = new RunningUnit(this.#savepoints);
    return this.#unit;
  }

  /** The error of a conflict with another transaction: the run must roll back, even if its work caught the error. */
  get conflict(): unknown {
    return this.#conflict;
  }

  /** Runs one of our statements. */
  async query(query: PgQuery): Promise<PgResult> {
    if (!this.#unit.isOver && !query.text.startsWith("select ")) this.#savepoints.send();
    return this.#query(query);
  }

  /** Runs an insert of one record that stores it or nothing, and that `undo` undoes. */
  async insert(query: PgQuery, undo: PgQuery): Promise<number> {
    return this.#savepoints.insert(async () => (await this.#query(query)).rowCount ?? 0, undo);
  }

  /**
   * Sends an insert of one record that fails where the record collides, and that `undo` undoes. Only every sixteenth waits, until
   * the database has answered the sixteen before: so they reach it in one piece, and the event loop has time for other work in between.
   */
  async insertAhead(query: PgQuery, undo: PgQuery): Promise<void> {
    assertRunning(this.#unit);
    this.#assertSound();
    const send = async (): Promise<number> => {
      this.#sendAhead(query, (error) => this.#toConstraintLoss(error));
      return 1;
    };
    await this.#savepoints.insert(send, undo);
    if (++this.#ahead % maxAhead === 0) await this.#waitForPieceBefore();
  }

  /**
   * Sends an insert of many records that fails where one of them collides, and waits until the database has answered the one before: so it
   * has the next one when it is done.
   */
  async insertManyAhead(query: PgQuery): Promise<void> {
    this.post(query);
    await this.#waitForPieceBefore();
  }

  async #waitForPieceBefore(): Promise<void> {
    const before = this.#lastAhead;
    this.#lastAhead = this.#control;
    await before;
    this.#assertSound();
  }

  /** Waits for the answers to all that was sent ahead. @throws the error of what failed of it. */
  async settle(): Promise<void> {
    await this.#control;
    this.#assertSound();
  }

  async #query(query: PgQuery): Promise<PgResult> {
    try {
      return await this.#send(() => this.#client.query(query));
    } catch (error) {
      this.#noteConstraint(error);
      throw toUnavailable(error);
    }
  }

  /** Sends something in the name of this run. Errors stay as they are. @throws Error when the run is over. */
  send<T>(ask: () => Promise<T>): Promise<T> {
    if (!this.#unit.isOver) this.#savepoints.send();
    return this.#send(ask);
  }

  async #send<T>(ask: () => Promise<T>): Promise<T> {
    assertRunning(this.#unit);
    this.#assertSound();
    if (this.#control !== undefined && !this.#client.pipeline) await this.#control;
    try {
      return await ask();
    } catch (error) {
      this.#note(error);
      throw error;
    }
  }

  /** Makes this run one that has met another transaction. */
  giveUp(conflict: unknown): never {
    this.#conflict ??= conflict;
    throw conflict;
  }

  /** Sends one of our statements whose answer nobody needs. @throws Error when the run is over. */
  post(query: PgQuery): void {
    assertRunning(this.#unit);
    this.#assertSound();
    this.#savepoints.send();
    this.#sendAhead(query, (error) => this.#toConstraintLoss(error));
  }

  /** Sends a query that must find nothing: a run that finds a row is over, as one that has met another transaction. */
  expectNone(query: PgQuery): void {
    assertRunning(this.#unit);
    this.#assertSound();
    this.#isExpecting = true;
    this.#sendAhead(query, toUnavailable, ({ rows }) => {
      if (rows.length > 0) this.#conflict ??= new Error("A record is there that the work did not expect.");
    });
  }

  /** Sends savepoints at once from now on: statements of the host may end the transaction, which one of ours must find out. */
  sendSavepoints(): void {
    this.#savepoints.stopWaiting();
  }

  begin(text: string): void {
    this.#sendControl(text);
  }

  /** Keeps what was done for good. @throws the first error of a statement, when the database has undone the transaction for it. */
  async commit(): Promise<void> {
    if (!this.#client.pipeline || this.#isExpecting) await this.#control;
    this.#assertSound();
    const committing = this.#client.query({ text: "commit" }).catch((error: unknown) => {
      this.#isFateUnknown = isBroken(error);
      this.#note(error);
      throw toUnavailable(error);
    });
    const { command } = await committing.finally(this.#onCommit);
    if (command === "COMMIT") return;
    throw toUnavailable(this.#failure ?? new Error("The database has undone the transaction."));
  }

  async rollback(): Promise<void> {
    if (!this.#client.pipeline) await this.#control;
    await this.#client.query({ text: "rollback" });
  }

  #sendControl(text: string): void {
    this.#sendAhead({ text }, (cause) => new StorageUnavailable("The database has lost the transaction.", { cause }));
  }

  // After a statement that failed, all others fail as well: the first one is the reason.
  #sendAhead(query: PgQuery, toLoss: (error: unknown) => unknown, check?: (result: PgResult) => void): void {
    const send = (): Promise<PgResult> => this.#client.query(query);
    if (this.#client.pipeline) sendTogether(this.#client);
    const sent = this.#client.pipeline || this.#control === undefined ? send() : this.#control.then(send);
    // At once: of errors that arrive together, the first is the reason.
    this.#control = sent.then(check, (error: unknown) => {
      this.#loss ??= this.#failure ?? toLoss(error);
      this.#note(error);
    });
  }

  // A statement outside of the transaction would commit by itself.
  #assertSound(): void {
    if (this.#conflict !== undefined) throw this.#conflict;
    if (this.#loss !== undefined) throw this.#loss;
  }

  #toConstraintLoss(error: unknown): unknown {
    this.#noteConstraint(error);
    return toUnavailable(error);
  }

  // Ours are asked about before they are written, so that another transaction has written meanwhile.
  #noteConstraint(error: unknown): void {
    if (isConstraint(error)) this.#conflict ??= error;
  }

  #note(error: unknown): void {
    this.#failure ??= error;
    if (isConflict(error)) this.#conflict ??= error;
  }
}

// What is sent until this turn ends goes to the server in one piece: to hand over a piece costs more than to write and read it.
function sendTogether({ connection }: PgClientLike): void {
  if (connection === undefined) return;
  connection.stream.cork();
  process.nextTick(() => connection.stream.uncork());
}
