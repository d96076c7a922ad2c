import { fieldError, generalError, IdentityError } from "../../errors/identity-error.js";
import { assertExactIntegers } from "../../http/transport/exact-integers.js";
import { checkBody, parseJson } from "../../http/transport/read-body.js";
import { withoutAbsentFields } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import type { ImportOptions, ParsedImportedUser } from "../../records/bulk-users/schema.js";
import type { ImportResult } from "../../records/import-jobs/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { isObject } from "../../shared/objects.js";
import { formatPath } from "../../shared/text.js";
import { toPasswordHashes } from "../bulk-users/imported-passwords.js";
import type { UploadLine } from "./split-lines.js";
import { isBlank, type UploadPart } from "./spool-upload.js";

const userImportRequest = lazySchema("import", "userImportRequest");

/** A row that passed all checks without the storage. */
export interface PreparedRow {
  readonly line: number;
  /** The members of the row, without defaults. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly user: ParsedImportedUser & { readonly id: string };
  readonly hash: string | undefined;
}

/** The rows of a part: valid ones, and the results of refused ones. */
export interface PreparedRows {
  readonly rows: readonly PreparedRow[];
  readonly refused: readonly ImportResult[];
}

interface GivenRow {
  readonly line: number;
  readonly given: Readonly<Record<string, unknown>>;
}

interface ParsedRow extends GivenRow {
  readonly user: ParsedImportedUser;
}

type IdentifiedRow = Omit<PreparedRow, "hash">;

interface RowsToPrepare {
  readonly call: OperationCall;
  readonly part: UploadPart;
  readonly options: ImportOptions;
}

/** Lines a step, so that preparing does not block the event loop. */
const batchSize = 25;

/**
 * The rows of a part from a line on, prepared while the rows before are stored. Preparing earlier would keep objects in memory
 * that each garbage collection copies.
 */
export class RowSource {
  readonly #source: RowsToPrepare;
  /** Generated user ids by line, reused when a transaction runs again, because webhooks may have approved these ids. */
  #ids = new Map<number, string>();
  readonly #batches: Promise<PreparedRows>[] = [];
  /** The indexes of the first line not taken, and of the first not prepared. */
  #taken: number;
  #begun: number;

  constructor(source: RowsToPrepare, line: number) {
    this.#source = source;
    this.#taken = Math.max(line - source.part.firstLine, 0);
    this.#begun = this.#taken;
  }

  get left(): number {
    return Math.max(this.#source.part.lines.length - this.#taken, 0);
  }

  /** The first line not taken; undefined when none is left. */
  get nextLine(): number | undefined {
    return this.left > 0 ? this.#source.part.firstLine + this.#taken : undefined;
  }

  /** Returns the rows from a line on, and keeps prepared rows if it is the next line. */
  from(line: number): RowSource {
    if (Math.max(line, this.#source.part.firstLine) === this.nextLine) return this;
    const again = new RowSource(this.#source, line);
    again.#ids = this.#ids;
    return again;
  }

  prepare(count: number): void {
    const end = Math.min(this.#taken + count, this.#source.part.lines.length);
    for (; this.#begun < end; this.#begun += batchSize) {
      const [before, start] = [this.#batches.at(-1), this.#begun];
      const batch = Promise.resolve(before)
        .then(() => this.#source.call.service.runtime.timers.nextTurn())
        .then(() => this.#prepareBatch(start));
      // `take` awaits it, but may never be called.
      batch.catch(() => undefined);
      this.#batches.push(batch);
    }
  }

  /** Takes the rows of the next lines, and starts to prepare as many more. */
  async take(count: number): Promise<PreparedRows> {
    this.prepare(count);
    const taken = this.#batches.splice(0, Math.ceil(count / batchSize));
    this.#taken = Math.min(this.#taken + taken.length * batchSize, this.#source.part.lines.length);
    this.prepare(count);
    const batches = await Promise.all(taken);
    return { rows: batches.flatMap(({ rows }) => rows), refused: batches.flatMap(({ refused }) => refused) };
  }

  // Parses some lines and hashes their passwords. A refused row does not affect the others.
  async #prepareBatch(start: number): Promise<PreparedRows> {
    const refused: ImportResult[] = [];
    const { call, part } = this.#source;
    const parsed = await parseRows(call, readLines(part, start, refused), refused);
    const rows = parsed.map(({ user, ...row }) => ({ ...row, user: { ...user, id: user.id ?? this.#idOf(row.line) } }));
    return { rows: await hashPasswords(this.#source, rows, refused), refused };
  }

  #idOf(line: number): string {
    const id = this.#ids.get(line) ?? this.#source.call.service.runtime.newId();
    this.#ids.set(line, id);
    return id;
  }
}

/** The path of the user in the errors of a row, as in `user.email`. */
export const userPath = "user";

/** Returns the result of a refused row. */
export function toFailure(line: number, id: unknown, { fieldErrors, generalErrors }: IdentityError): ImportResult {
  const errors = {
    ...(Object.keys(fieldErrors).length > 0 && { fieldErrors }),
    ...(generalErrors.length > 0 && { generalErrors }),
  };
  return { line, ...(typeof id === "string" && { id }), outcome: "failed", errors };
}

function readLines({ firstLine, lines }: UploadPart, start: number, refused: ImportResult[]): readonly GivenRow[] {
  return lines.slice(start, start + batchSize).flatMap((line, index) => {
    if (isBlank(line)) return [];
    const number = firstLine + start + index;
    try {
      return { line: number, given: readLine(line) };
    } catch (error) {
      refused.push(toFailure(number, undefined, assertIdentityError(error)));
      return [];
    }
  });
}

function readLine(line: UploadLine): Readonly<Record<string, unknown>> {
  if (typeof line !== "string") throw line.fault === "tooLong" ? fieldError("tooLong", "user") : generalError("invalidText");
  const value = parseJson(line);
  if (!isObject(value)) throw generalError("invalidJSON", "A row must be a JSON object.");
  assertExactIntegers(line, { user: value });
  checkBody({ user: value });
  return value;
}

/** Returns the error if it is a refusal. @throws the error otherwise. */
export function assertIdentityError(error: unknown): IdentityError {
  if (error instanceof IdentityError && error.status < 500) return error;
  throw error;
}

async function parseRows(
  call: OperationCall,
  given: readonly GivenRow[],
  refused: ImportResult[],
): Promise<readonly ParsedRow[]> {
  const wanted = given.map((row) => withoutAbsentFields(call, "user", { user: row.given }) as { readonly user: unknown });
  const parse = async (users: readonly unknown[]): Promise<readonly ParsedImportedUser[]> =>
    (await parseWith(userImportRequest, { users }, ([, , ...rest]) => formatPath([userPath, ...rest]))).users;
  const rows: ParsedRow[] = [];
  const add = (row: GivenRow, user: ParsedImportedUser | undefined): void => {
    if (user !== undefined) rows.push({ ...row, user });
  };
  try {
    const parsed = await parse(wanted.map(({ user }) => user));
    for (const [index, row] of given.entries()) add(row, parsed[index]);
  } catch (thrown) {
    assertIdentityError(thrown);
    // At least one row is invalid: parse row by row to find the errors of each.
    for (const [index, row] of given.entries())
      await parse([wanted[index]?.user]).then(
        ([user]) => add(row, user),
        (error: unknown) => refused.push(toFailure(row.line, row.given.id, assertIdentityError(error))),
      );
  }
  return rows;
}

async function hashPasswords(
  { call, options }: RowsToPrepare,
  rows: readonly IdentifiedRow[],
  refused: ImportResult[],
): Promise<readonly PreparedRow[]> {
  const hash = (some: readonly IdentifiedRow[]): ReturnType<typeof toPasswordHashes> =>
    toPasswordHashes(
      call,
      some.map(({ user }) => user),
      options,
      () => userPath,
    );
  try {
    const hashes = await hash(rows);
    return rows.map((row, index) => ({ ...row, hash: hashes[index] }));
  } catch (thrown) {
    assertIdentityError(thrown);
  }
  const hashed: PreparedRow[] = [];
  for (const row of rows)
    await hash([row]).then(
      ([one]) => hashed.push({ ...row, hash: one }),
      (error: unknown) => refused.push(toFailure(row.line, row.given.id, assertIdentityError(error))),
    );
  return hashed;
}
