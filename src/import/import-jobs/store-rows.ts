import { FieldErrorList, fieldError, generalError, type IdentityError } from "../../errors/identity-error.js";
import type { WriteCall } from "../../operations/operation.js";
import { findTenant } from "../../operations/references/references.js";
import { type StoredRecord, UniqueViolation } from "../../ports/storage.js";
import type { ImportResult, OnDuplicate } from "../../records/import-jobs/schema.js";
import { usersTable } from "../../records/users/family.js";
import { inPreparedChunks } from "../../shared/in-steps.js";
import { type ImportStep, toUserToStore, type UserToStore } from "../bulk-users/import-drafts.js";
import { addReferenceErrors, noReferences, type ReadReferences, readReferences } from "../bulk-users/import-references.js";
import { insertUsers, publishUsers } from "../bulk-users/import-users.js";
import { findMatches, keysOf, type Match, type TenantRow, toDuplicateError } from "./find-users.js";
import { assertIdentityError, type PreparedRow, toFailure, userPath } from "./prepare-rows.js";
import { publishEach } from "./publish-each.js";
import { updateUser } from "./update-user.js";

/** Settings for storing rows. */
export interface StoreSettings {
  readonly events: "bulk" | "single";
  readonly onDuplicate: OnDuplicate;
  readonly memory: JobMemory;
  readonly read: ReadForRows;
}

/** The tenants and references that a transaction has read; an error for an unusable tenant. */
interface ReadForRows {
  readonly tenants: Map<string | undefined, StoredRecord | IdentityError>;
  readonly references: ReadReferences;
}

/** Returns empty reads, for the start of a transaction. */
export function emptyReads(): ReadForRows {
  return { tenants: new Map(), references: noReferences() };
}

/** The state of a job in one process. */
export interface JobMemory {
  /**
   * Whether rows have collided: from then on, duplicates are looked up before rows are stored, instead of detected by the
   * storage.
   */
  hasDuplicates: boolean;
  /** The keys of a dry run's rows, which are not stored. */
  taken: { has(key: string): boolean; add(key: string): unknown } | undefined;
}

/** How often rows that collide with concurrent writes are retried together, before they are stored one by one. */
const maxTries = 3;

/**
 * The numbers of users inserted and published together, and prepared in one step. Five times as many take a tenth longer on
 * Postgres, which idles meanwhile, and keep other calls waiting twice as long.
 */
const sizes = { size: 100, step: 25 };

/** Stores valid rows with their users' registrations and memberships; returns the result of each row. */
export async function storeRows(
  call: WriteCall,
  rows: readonly PreparedRow[],
  settings: StoreSettings,
): Promise<readonly ImportResult[]> {
  const results: ImportResult[] = [];
  const { references: found } = settings.read;
  const users = rows.map(({ user }) => user);
  await readReferences(call, users, found);
  const storing: Storing = { call, settings, found, results };
  let pending = withReferences(storing, await withTenants(storing, rows));
  for (let tries = 0; pending.length > 0; tries++) {
    const { hasDuplicates } = settings.memory;
    const unmatched = hasDuplicates ? await settleMatches(storing, pending) : pending;
    const { apart, rest } = splitColliding(storing, unmatched);
    if (rest.length > 0) settings.memory.hasDuplicates = true;
    const left = await createTogether(storing, apart, tries >= maxTries);
    pending = [...left, ...rest].sort((a, b) => a.line - b.line);
  }
  return results;
}

interface Storing {
  readonly call: WriteCall;
  readonly settings: StoreSettings;
  readonly found: ReadReferences;
  readonly results: ImportResult[];
}

async function withTenants({ call, results, settings }: Storing, rows: readonly PreparedRow[]): Promise<readonly TenantRow[]> {
  const known = settings.read.tenants;
  const find = (tenantId: string | undefined): Promise<StoredRecord | IdentityError> =>
    findTenant(call, { tenantId, path: `${userPath}.tenantId` }).catch(assertIdentityError);
  const placed: TenantRow[] = [];
  for (const row of rows) {
    const { tenantId } = row.user;
    const tenant = known.get(tenantId) ?? (await find(tenantId));
    known.set(tenantId, tenant);
    if ("json" in tenant) placed.push({ ...row, tenant });
    else results.push(toFailure(row.line, row.given.id, tenant));
  }
  return placed;
}

function withReferences({ found, results }: Storing, rows: readonly TenantRow[]): readonly TenantRow[] {
  return rows.filter((row) => {
    const errors = new FieldErrorList();
    addReferenceErrors(errors, found, { user: row.user, tenantId: row.tenant.id, path: userPath });
    if (!errors.isEmpty) results.push(toFailure(row.line, row.given.id, errors.toError()));
    return errors.isEmpty;
  });
}

/** Settles the rows with a stored user; returns the others. */
async function settleMatches(storing: Storing, rows: readonly TenantRow[]): Promise<readonly TenantRow[]> {
  const matches = await findMatches(storing.call, rows);
  for (const [row, match] of matches) storing.results.push(await settleMatch(storing, row, match));
  return rows.filter((row) => !matches.has(row));
}

async function settleMatch({ call, found, settings }: Storing, row: TenantRow, match: Match): Promise<ImportResult> {
  const { line } = row;
  if (match.user === undefined || settings.onDuplicate === "error")
    return toFailure(line, row.given.id, toDuplicateError(row, match.fields));
  const { user } = match;
  if (settings.onDuplicate === "skip") return { line, id: user.id, outcome: "skipped" };
  try {
    await call.tx.savepoint(() => updateUser(call, row, user, found));
    return { line, id: user.id, outcome: "updated" };
  } catch (error) {
    return toFailure(line, user.id, assertIdentityError(error));
  }
}

/** Splits rows into those without common keys, and the rest. */
function splitColliding(
  { settings: { memory, onDuplicate }, results }: Storing,
  rows: readonly TenantRow[],
): { readonly apart: readonly TenantRow[]; readonly rest: readonly TenantRow[] } {
  const seen = new Set<string>();
  const rest: TenantRow[] = [];
  const apart = rows.filter((row) => {
    const keys = keysOf(row);
    // A dry run has not stored the user, so that no query finds it.
    if (memory.taken !== undefined && keys.some((key) => memory.taken?.has(key))) {
      results.push(
        settleDry(
          row,
          keys.filter((key) => memory.taken?.has(key)),
          onDuplicate,
        ),
      );
      return false;
    }
    if (keys.some((key) => seen.has(key))) rest.push(row);
    else {
      for (const key of keys) seen.add(key);
      return true;
    }
    return false;
  });
  return { apart, rest };
}

function settleDry(row: TenantRow, keys: readonly string[], onDuplicate: OnDuplicate): ImportResult {
  const { line } = row;
  if (onDuplicate !== "error") return { line, outcome: onDuplicate === "skip" ? "skipped" : "updated" };
  const fields = keys.map((key) => key.slice(0, key.indexOf(" ")) as Match["fields"][number]);
  return toFailure(line, row.given.id, toDuplicateError(row, fields));
}

/** Creates users together, or one by one; returns the rows that collide with stored users. */
async function createTogether(storing: Storing, rows: readonly TenantRow[], isSingly: boolean): Promise<readonly TenantRow[]> {
  const left: TenantRow[] = [];
  for (const some of isSingly ? rows.map((row) => [row]) : [rows])
    if (!(await create(storing, some))) for (const row of some) left.push(row);
  return isSingly ? left.filter((row) => refuseOne(storing, row)) : left;
}

// Concurrent calls keep creating the same user: another retry would not help.
function refuseOne({ results }: Storing, { given, line }: TenantRow): boolean {
  results.push(
    toFailure(
      line,
      given.id,
      generalError("invalid", "Another user has a login id of this one, or another call creates it at the same time."),
    ),
  );
  return false;
}

/** @returns whether none of them collided. */
async function create(storing: Storing, rows: readonly TenantRow[]): Promise<boolean> {
  const { call, found, results, settings } = storing;
  const created: ImportResult[] = [];
  try {
    await call.tx.savepoint(async () => {
      for (const [tenantId, ofTenant] of Map.groupBy(rows, ({ tenant }) => tenant.id)) {
        const tenant = ofTenant[0]?.tenant as StoredRecord;
        const step = { now: call.service.runtime.clock(), references: found, tenant, created };
        const prepare = (row: TenantRow): UserToStore | undefined => toUser(call, step, row);
        const store = (users: readonly (UserToStore | undefined)[]): Promise<void> =>
          createUsers(
            storing,
            tenantId,
            users.filter((user) => user !== undefined),
          );
        await inPreparedChunks({ ...sizes, ...call.service.runtime }, ofTenant, prepare, store);
      }
    });
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    settings.memory.hasDuplicates = true;
    // A single row collides by an id of a related record, such as a registration.
    const [row, another] = rows;
    if (error.table === usersTable.name || row === undefined || another !== undefined) return false;
    results.push(
      toFailure(
        row.line,
        row.given.id,
        fieldError("duplicate", "user", `Another record has the same [${error.keys.join(", ")}].`),
      ),
    );
    return true;
  }
  for (const result of created) results.push(result);
  const stored = new Set(created.flatMap(({ line, outcome }) => (outcome === "created" ? [line] : [])));
  const { taken } = settings.memory;
  if (taken !== undefined) for (const row of rows) if (stored.has(row.line)) for (const key of keysOf(row)) taken.add(key);
  return true;
}

interface RowStep extends ImportStep {
  readonly created: ImportResult[];
}

function toUser(call: WriteCall, step: RowStep, row: TenantRow): UserToStore | undefined {
  const { given, line, user } = row;
  try {
    const toStore = toUserToStore(call, step, row, userPath);
    step.created.push({ line, id: user.id, outcome: "created" });
    return toStore;
  } catch (error) {
    step.created.push(toFailure(line, given.id, assertIdentityError(error)));
    return undefined;
  }
}

async function createUsers(
  { call, settings: { events } }: Storing,
  tenantId: string,
  users: readonly UserToStore[],
): Promise<void> {
  if (users.length === 0) return;
  await insertUsers(call, tenantId, users);
  if (events === "bulk") await publishUsers(call, tenantId, users);
  else await publishEach(call, tenantId, users);
}
