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

/** A row that can be stored, as far as can be said without the storage. */
export interface PreparedRow {
  readonly line: number;
  /** The members as the row says them, without defaults. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly user: ParsedImportedUser & { readonly id: string };
  readonly hash: string | undefined;
}

/** Rows of a part: those that can be stored, and the results of the others. */
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

/** How many lines are prepared in one step, between which others have their turn. */
const batchSize = 25;

/**
 * The rows of a part from a line on, prepared while the ones before are stored, and no sooner: what waits in memory would be copied with each
 * collection of garbage.
 */
export class RowSource {
  readonly #call: OperationCall;
  readonly #part: UploadPart;
  readonly #options: ImportOptions;
  /** By line, the ids of users whose rows give none: the same ones when a transaction runs again, as receivers were asked about them. */
  #ids = new Map<number, string>();
  readonly #batches: Promise<PreparedRows>[] = [];
  /** The first line that was not taken, and the first that is not prepared, from 0. */
  #taken: number;
  #begun: number;

  constructor(call: OperationCall, part: UploadPart, options: ImportOptions, line: number) {
    this.#call = call;
    this.#part = part;
    this.#options = options;
    this.#taken = Math.max(line - part.firstLine, 0);
    this.#begun = this.#taken;
  }

  /** How many lines were not taken. */
  get left(): number {
    return Math.max(this.#part.lines.length - this.#taken, 0);
  }

  /** The first line that was not taken; undefined where none is left. */
  get nextLine(): number | undefined {
    return this.left > 0 ? this.#part.firstLine + this.#taken : undefined;
  }

  /** The same rows from a line on: as far as they are prepared where it is the next one. */
  from(line: number): RowSource {
    if (Math.max(line, this.#part.firstLine) === this.nextLine) return this;
    const again = new RowSource(this.#call, this.#part, this.#options, line);
    again.#ids = this.#ids;
    return again;
  }

  /** Begins to prepare the next lines. */
  prepare(count: number): void {
    const end = Math.min(this.#taken + count, this.#part.lines.length);
    for (; this.#begun < end; this.#begun += batchSize) {
      const [before, start] = [this.#batches.at(-1), this.#begun];
      const batch = Promise.resolve(before)
        .then(() => this.#call.service.runtime.timers.nextTurn())
        .then(() => this.#prepareBatch(start));
      // It is waited for when it is taken, which may never be.
      batch.catch(() => undefined);
      this.#batches.push(batch);
    }
  }

  /** Takes the rows of the next lines, and begins to prepare as many more. */
  async take(count: number): Promise<PreparedRows> {
    this.prepare(count);
    const taken = this.#batches.splice(0, Math.ceil(count / batchSize));
    this.#taken = Math.min(this.#taken + taken.length * batchSize, this.#part.lines.length);
    this.prepare(count);
    const batches = await Promise.all(taken);
    return { rows: batches.flatMap(({ rows }) => rows), refused: batches.flatMap(({ refused }) => refused) };
  }

  // Parses some lines and hashes their passwords. A row that is refused does not hinder the others.
  async #prepareBatch(start: number): Promise<PreparedRows> {
    const refused: ImportResult[] = [];
    const parsed = await parseRows(this.#call, readLines(this.#part, start, refused), refused);
    const rows = parsed.map(({ user, ...row }) => ({ ...row, user: { ...user, id: user.id ?? this.#idOf(row.line) } }));
    return { rows: await hashPasswords(this.#call, rows, this.#options, refused), refused };
  }

  #idOf(line: number): string {
    const id = this.#ids.get(line) ?? this.#call.service.runtime.newId();
    this.#ids.set(line, id);
    return id;
  }
}

/** The path of the user of a row: a row is one user, so its errors name `user.email`. */
export const userPath = "user";

/** The result of a row that is refused. */
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

/** @throws what is no refusal. */
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
    // Some are refused: which ones, and why, is known row by row.
    for (const [index, row] of given.entries())
      await parse([wanted[index]?.user]).then(
        ([user]) => add(row, user),
        (error: unknown) => refused.push(toFailure(row.line, row.given.id, assertIdentityError(error))),
      );
  }
  return rows;
}

async function hashPasswords(
  call: OperationCall,
  rows: readonly IdentifiedRow[],
  options: ImportOptions,
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
