import { StorageUnavailable } from "latchkey/ports";
import { assertRunning, RunningUnit } from "../../kysely/running-unit.js";
import type { PgClientLike, PgQuery, PgResult } from "./pg-types.js";
import { isBroken, isConflict, isConstraint, toUnavailable } from "./pg-types.js";
import { LazySavepoints } from "./savepoints.js";

/** The number of inserts sent without waiting. At most twice as many are in flight. */
const maxAhead = 16;

/**
 * One run of the work of one or several transactions, on one connection. Control statements (begin, savepoints) and statements
 * without a needed response are sent ahead if the connection supports it; their errors fail the next statement or the commit.
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
  /** The last control statement, when statements are sent one after the other. */
  #control: Promise<unknown> | undefined;
  #failure: unknown;
  #conflict: unknown;
  #loss: unknown;
  #isFateUnknown = false;
  #ahead = 0;
  /** Whether a pending response may roll the transaction back. */
  #isExpecting = false;
  /** The last insert of the batch before the current one. */
  #lastAhead: Promise<unknown> | undefined;

  /** Calls `onCommit` once the database may have committed, before any caller knows. */
  constructor(client: PgClientLike, onCommit: () => void) {
    this.#client = client;
    this.#onCommit = onCommit;
    this.#unit = new RunningUnit(this.#savepoints);
  }

  get unit(): RunningUnit {
    return this.#unit;
  }

  /** Whether all statements succeeded so far. */
  get isSound(): boolean {
    return this.#failure === undefined && this.#conflict === undefined && this.#loss === undefined;
  }

  /** Whether the response to the commit was lost, so that its result is unknown. */
  get isFateUnknown(): boolean {
    return this.#isFateUnknown;
  }

  beginUnit(): RunningUnit {
    this.#unit = new RunningUnit(this.#savepoints);
    return this.#unit;
  }

  /** The error of a conflict with another transaction: the run must roll back, even if its work caught the error. */
  get conflict(): unknown {
    return this.#conflict;
  }

  async query(query: PgQuery): Promise<PgResult> {
    if (!this.#unit.isOver && !query.text.startsWith("select ")) this.#savepoints.send();
    return this.#query(query);
  }

  /** Runs an insert of one record that stores the record or nothing, undone by `undo`. */
  async insert(query: PgQuery, undo: PgQuery): Promise<number> {
    return this.#savepoints.insert(async () => (await this.#query(query)).rowCount ?? 0, undo);
  }

  /**
   * Sends an insert of one record that fails on a collision, undone by `undo`. Only every sixteenth waits, for the sixteen
   * before: they reach the database in one piece, and the event loop is free in between.
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
   * Sends an insert of many records that fails on a collision, and waits for the response to the one before: the database then
   * always has the next one.
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

  /** Waits for the responses to all statements sent ahead. @throws the error of a failed one. */
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

  /** Sends a request in this run. Errors stay unchanged. @throws Error when the run is over. */
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

  /** Marks this run as in conflict with another transaction. */
  giveUp(conflict: unknown): never {
    this.#conflict ??= conflict;
    throw conflict;
  }

  /** Sends a statement of the service without waiting for its response. @throws Error when the run is over. */
  post(query: PgQuery): void {
    assertRunning(this.#unit);
    this.#assertSound();
    this.#savepoints.send();
    this.#sendAhead(query, (error) => this.#toConstraintLoss(error));
  }

  /** Sends a query that must find nothing: a found row counts as a conflict with another transaction. */
  expectNone(query: PgQuery): void {
    assertRunning(this.#unit);
    this.#assertSound();
    this.#isExpecting = true;
    this.#sendAhead(query, toUnavailable, ({ rows }) => {
      if (rows.length > 0) this.#conflict ??= new Error("A record is there that the work did not expect.");
    });
  }

  /** From now on, sends savepoints at once: statements of the host may end the transaction, and a savepoint must detect that. */
  sendSavepoints(): void {
    this.#savepoints.stopWaiting();
  }

  begin(text: string): void {
    this.#sendControl(text);
  }

  /** Commits. @throws the first error of a statement, when the database rolled the transaction back because of it. */
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

  // After a failed statement, all others fail too: the first error is the reason.
  #sendAhead(query: PgQuery, toLoss: (error: unknown) => unknown, check?: (result: PgResult) => void): void {
    const send = (): Promise<PgResult> => this.#client.query(query);
    if (this.#client.pipeline) sendTogether(this.#client);
    const sent = this.#client.pipeline || this.#control === undefined ? send() : this.#control.then(send);
    // Handled at once: of errors that arrive together, the first is the reason.
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

  // The service checks constraints before it writes, so a violation means that another transaction has written meanwhile.
  #noteConstraint(error: unknown): void {
    if (isConstraint(error)) this.#conflict ??= error;
  }

  #note(error: unknown): void {
    this.#failure ??= error;
    if (isConflict(error)) this.#conflict ??= error;
  }
}

// Statements until the end of this turn go to the server in one piece: sending a piece costs more than writing and reading it.
function sendTogether({ connection }: PgClientLike): void {
  if (connection === undefined) return;
  connection.stream.cork();
  process.nextTick(() => connection.stream.uncork());
}
