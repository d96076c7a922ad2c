import { addMembers, toListText } from "../../json/canonical-json.js";
import { parseHidden } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { pageBytes, pagesOf, prepareNext, toParts } from "../../operations/snapshot-lines.js";
import type { HiddenUser } from "../../people/users/rules.js";
import { type Filter, globalScope, ResultTooLarge, type StoredRecord, type Table } from "../../ports/storage.js";
import type { ImportedTwoFactor } from "../../records/factors/factor-schema.js";
import type { TwoFactorState } from "../../records/factors/two-factor-state.js";
import { groupMembersTable } from "../../records/group-members/family.js";
import { passkeysTable } from "../../records/passkeys/family.js";
import { registrationsTable } from "../../records/registrations/family.js";
import { userConsentsTable } from "../../records/user-consents/family.js";
import { usersTable } from "../../records/users/family.js";
import { openKey, openRecoveryDigests } from "../../sign-in/factors/user-factor.js";

/** The users to export. */
export interface UsersToExport {
  readonly filter: Filter | undefined;
  /** Whether to include credentials: password hashes, second factors and passkeys. */
  readonly hasSecrets: boolean;
}

/** Yields users as NDJSON, read by the reader of the call, in the order of their ids. `noteCount` receives the number of users of each page. */
export async function* linesOfUsers(
  call: OperationCall,
  { filter, hasSecrets }: UsersToExport,
  noteCount: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  const from = { call, hasSecrets };
  const pages = pagesOf(call.reader, { scope: call.scope, table: usersTable, filter });
  for await (const { relations, users } of prepareNext(withRelations(from, prepareNext(pages)))) {
    yield* toParts(users, (user) => toLine(from, user, relations));
    noteCount(users.length);
    await call.service.runtime.timers.nextTurn();
  }
}

/** The tables related to users, by the member of a line. */
const relatedTables = { consents: userConsentsTable, memberships: groupMembersTable, registrations: registrationsTable };
const secretTables = { passkeys: passkeysTable };

/** The related records' texts by user id, for each member of a line. */
type Relations = readonly (readonly [member: string, texts: ReadonlyMap<string, readonly string[]>])[];

type RelatedTable = readonly [member: string, table: Table];

interface UserPage {
  readonly users: readonly StoredRecord[];
  readonly relations: Relations;
}

interface ExportReader {
  readonly call: OperationCall;
  readonly hasSecrets: boolean;
}

// Skips empty tables for the whole export.
async function findUsedTables({ call, hasSecrets }: ExportReader): Promise<readonly RelatedTable[]> {
  const used: RelatedTable[] = [];
  for (const [member, table] of Object.entries({ ...relatedTables, ...(hasSecrets && secretTables) }))
    if ((await call.reader.find(globalScope, table, undefined, { limit: 1 })).length > 0) used.push([member, table]);
  return used;
}

async function* withRelations(from: ExportReader, pages: AsyncIterable<readonly StoredRecord[]>): AsyncGenerator<UserPage> {
  const tables = await findUsedTables(from);
  for await (const users of pages) yield* relate(from, tables, users);
}

// The related records of a single user may be as large as a response; those of several users are split by halves.
async function* relate(
  from: ExportReader,
  tables: readonly RelatedTable[],
  users: readonly StoredRecord[],
): AsyncGenerator<UserPage> {
  const { call } = from;
  const ofUsers = { op: "in", column: "userId", values: users.map(({ id }) => id) } as const;
  const maxBytes = users.length === 1 ? call.service.answerSize.maxBytes : pageBytes;
  const relations: (readonly [string, ReadonlyMap<string, readonly string[]>])[] = [];
  try {
    for (const [member, table] of tables)
      relations.push([
        member,
        groupByUser(await call.reader.find(call.scope, table, ofUsers, { sizeLimit: { maxBytes, unmeasured: 1 } })),
      ]);
  } catch (error) {
    if (!(error instanceof ResultTooLarge) || users.length === 1) throw error;
    const half = users.length >> 1;
    yield* relate(from, tables, users.slice(0, half));
    yield* relate(from, tables, users.slice(half));
    return;
  }
  yield { users, relations };
}

function groupByUser(records: readonly StoredRecord[]): ReadonlyMap<string, readonly string[]> {
  const grouped = new Map<string, string[]>();
  for (const { hidden, json } of records) {
    const { userHandle, userId } = JSON.parse(hidden ?? json) as { readonly userHandle?: string; readonly userId: string };
    const text = userHandle === undefined ? json : addMembers(json, { userHandle });
    const known = grouped.get(userId);
    if (known === undefined) grouped.set(userId, [text]);
    else known.push(text);
  }
  return grouped;
}

function toLine({ call, hasSecrets }: ExportReader, user: StoredRecord, relations: Relations): string {
  const members: Record<string, unknown> = hasSecrets ? { ...secretsOf(call, user) } : {};
  for (const [member, byUser] of relations) {
    const texts = byUser.get(user.id);
    if (texts !== undefined) members[member] = toListText(texts);
  }
  return addMembers(user.json, members);
}

function secretsOf(call: OperationCall, user: StoredRecord): object {
  const { earlierPasswordHashes, passwordHash, twoFactor } = parseHidden<HiddenUser>(user) ?? {};
  return { earlierPasswordHashes, passwordHash, twoFactor: twoFactor && toImported(call, user.id, twoFactor) };
}

function toImported(call: OperationCall, userId: string, state: TwoFactorState): ImportedTwoFactor | undefined {
  if (state.methods.length === 0) return undefined;
  const methods = state.methods.map(({ isLastUsed, key, lastStep: _lastStep, ...method }) => ({
    ...method,
    lastUsed: isLastUsed,
    secretBase64Encoded: key && Buffer.from(openKey(call, userId, key)).toString("base64"),
  }));
  return { methods, recoveryCodeDigests: openRecoveryDigests(call.service.sealer, userId, state.recoveryCodes) };
}
