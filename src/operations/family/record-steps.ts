import { withoutFields } from "../../availability/availability.js";
import {
  type FieldErrorList as Errors,
  FieldErrorList,
  fieldError,
  generalError,
  IdentityError,
} from "../../errors/identity-error.js";
import { parseWith, withoutNulls } from "../../http/schema/parse-with.js";
import { matchesTag, type OperationResult } from "../../http/transport/write-response.js";
import { addMembers, toCanonicalJson } from "../../json/canonical-json.js";
import {
  type Filter,
  globalScope,
  type RecordToStore,
  StaleVersion,
  type StoredRecord,
  type Table,
  type TenantScope,
  UniqueViolation,
} from "../../ports/storage.js";
import { etagOfText, etagOfVersion, parseUuid } from "../../shared/text.js";
import type { OperationCall, WriteCall } from "../operation.js";
import type { BaseRecord, Draft, Family, PrepareContext, PresentedFamily } from "./family.js";
import { withSettingsOf } from "./load-settings-without-effect.js";
import { normalizeKeys } from "./map-keys.js";
import { hasHostNames, openRecord, toHostNames, toHostPath, toRecordNames } from "./wire-records.js";

/**
 * The id in a parameter.
 * @throws IdentityError 400 `[couldNotConvert]` when it is no UUID, `[missing]` when it is absent.
 */
export function requireId(call: OperationCall, parameter: string): string {
  const id = optionalId(call, parameter);
  if (id === undefined) throw fieldError("missing", parameter);
  return id;
}

/** The id in a parameter, or undefined when it is absent. @throws IdentityError 400 when it is no UUID. */
export function optionalId(call: OperationCall, parameter: string): string | undefined {
  const text = call.params[parameter];
  if (text === undefined || text === "") return undefined;
  const id = parseUuid(text);
  if (id === undefined) throw fieldError("couldNotConvert", parameter);
  return id;
}

/** The scope of a call for a table: all callers see records outside of tenants. */
export function scopeFor(call: OperationCall, table: Table): TenantScope {
  return table.tenancy === "global" ? globalScope : call.scope;
}

/** The record that the parameters of a call identify, in the call's scope. @throws IdentityError 404 when there is none. */
export async function loadRecord<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Family<Wire, Request>,
): Promise<StoredRecord> {
  const { idParameter, locate, table } = family;
  const stored =
    locate === undefined
      ? await call.reader.retrieve(scopeFor(call, table), table, requireId(call, idParameter))
      : await findLocated(call, table, locate(call));
  if (stored === undefined) throw generalError("notFound");
  return stored;
}

async function findLocated(call: OperationCall, table: Table, filter: Filter): Promise<StoredRecord | undefined> {
  const [stored] = await call.reader.find(scopeFor(call, table), table, filter, { limit: 1 });
  return stored;
}

/**
 * The request in a body, without the fields that the service's version does not have.
 * @throws IdentityError 400 with all field errors at once; `[notLicensed]…` for features outside of the service's plan.
 */
export async function parseRequest<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Pick<Family<Wire, Request>, "wrapper" | "request" | "namedMembers" | "namedValues" | "otherWrappers" | "keyedMaps">,
  body: unknown,
): Promise<Request> {
  const { availability, names } = call.service;
  const { wrapper } = family;
  availability.assertLicensed(wrapper);
  const known = withoutAbsentFields(call, wrapper, normalizeKeys(family, toRecordNames(names, family, body)));
  const request = await parseWith(family.request, known, (path) => toHostPath(names, family, path));
  availability.assertValues(wrapper, request);
  return withSettingsOf(wrapper, request, withoutNulls(known));
}

/** A body, or the document of a patch, without the fields that the service's version does not have. */
export function withoutAbsentFields(call: OperationCall, wrapper: string, body: unknown): unknown {
  const absent = call.service.availability.absentFields(wrapper);
  return absent.length === 0
    ? body
    : withoutFields(
        body,
        absent.map((path) => [wrapper, ...path]),
      );
}

/**
 * Runs the family's `prepare` on a parsed request. Derived values, such as the algorithm of a key, must fit the version and plan
 * too.
 */
export async function prepareRequest<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Pick<Family<Wire, Request>, "wrapper" | "rules">,
  request: Request,
  context: PrepareContext<Request>,
): Promise<Request> {
  if (family.rules.prepare === undefined) return request;
  const prepared = await family.rules.prepare(call, request, context);
  call.service.availability.assertValues(family.wrapper, prepared);
  return prepared;
}

/** The JSON texts of records on the wire: synchronous where nothing has to be looked up. */
export function presentRecords<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: PresentedFamily<Wire, Request>,
  records: readonly StoredRecord[],
): readonly string[] | Promise<readonly string[]> {
  const absent = call.service.availability.absentFields(family.wrapper);
  const opened = family.sealedPaths === undefined ? records : records.map((record) => openText(call, family, record));
  const texts = family.rules?.present?.(call, opened) ?? opened.map((record) => record.json);
  const { names } = call.service;
  if (absent.length === 0 && !hasHostNames(names, family)) return texts;
  const toShown = (text: string): string => toCanonicalJson(toHostNames(names, family, withoutFields(JSON.parse(text), absent)));
  return texts instanceof Promise ? texts.then((all) => all.map(toShown)) : texts.map(toShown);
}

/** A record as on the wire, without secrets: opens no sealed field. */
export async function presentWithoutSecrets<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: PresentedFamily<Wire, Request>,
  record: StoredRecord,
): Promise<unknown> {
  const { availability, names } = call.service;
  const [text = "{}"] = (await family.rules?.present?.(call, [record])) ?? [record.json];
  const secrets = [...(family.sealedPaths ?? []), ...(family.secretPaths ?? [])].map((path) => path.split("."));
  const shown = withoutFields(JSON.parse(text), [...secrets, ...availability.absentFields(family.wrapper)]);
  return toHostNames(names, family, shown);
}

function openText<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: PresentedFamily<Wire, Request>,
  record: StoredRecord,
): StoredRecord {
  return { ...record, json: toCanonicalJson(openRecord(call.service.sealer, family, record)) };
}

/** The answer that shows one record in its wrapper. */
export function presentOne<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: PresentedFamily<Wire, Request>,
  stored: StoredRecord,
  shownOnce?: Readonly<Record<string, unknown>>,
): OperationResult | Promise<OperationResult> {
  const toResult = ([text = "{}"]: readonly string[]): OperationResult => {
    const json = shownOnce === undefined ? text : addMembers(text, shownOnce);
    return { status: 200, json: `{"${family.wrapper}":${json}}`, etag: etagOf(stored, text) };
  };
  const texts = presentRecords(call, family, [stored]);
  return texts instanceof Promise ? texts.then(toResult) : toResult(texts);
}

// Derived members, such as the roles of a group, may change without the record.
function etagOf(stored: StoredRecord, text: string): string {
  return text === stored.json ? etagOfVersion(stored.version) : etagOfText(text);
}

/** @throws IdentityError 412 when `If-Match` has an ETag that the record no longer has. */
export async function assertPrecondition<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Family<Wire, Request>,
  stored: StoredRecord,
): Promise<void> {
  if (call.ifMatch === undefined) return;
  const [text = "{}"] = await presentRecords(call, family, [stored]);
  if (!matchesStrongTag(call.ifMatch, etagOf(stored, text))) throw generalError("preconditionFailed");
}

// If-Match compares strongly: a weak tag never matches (RFC 9110, 13.1.1).
function matchesStrongTag(header: string, etag: string): boolean {
  return !header.includes("W/") && matchesTag(header, etag);
}

/** A draft in the form of the storage. */
export function toRecordToStore<Wire extends BaseRecord>(
  draft: Draft<Wire>,
  tenantId: string | null,
  version: number,
): RecordToStore {
  const { record, hidden, columns } = draft;
  return {
    id: record.id,
    tenantId,
    version,
    insertInstant: record.insertInstant,
    lastUpdateInstant: record.lastUpdateInstant,
    json: toCanonicalJson(record),
    hidden: hidden === undefined ? null : toCanonicalJson(hidden),
    columns,
  };
}

/** Stores a new record. @throws IdentityError 400 `[duplicate]…` for each unique key that it collides on. */
export async function insertRecord<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: Family<Wire, Request>,
  record: RecordToStore,
): Promise<void> {
  await naming(family, record, () => call.tx.insert(scopeOf(call, family.table, record), family.table, [record]));
}

/** Replaces a record. @throws IdentityError 400 as {@link insertRecord}; 404 when it was removed meanwhile. */
export async function replaceRecord<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: Family<Wire, Request>,
  record: RecordToStore,
): Promise<void> {
  await naming(family, record, () => call.tx.update(scopeOf(call, family.table, record), family.table, record));
}

function scopeOf(call: WriteCall, table: Table, record: RecordToStore): TenantScope {
  return record.tenantId === null ? scopeFor(call, table) : { kind: "tenant", tenantId: record.tenantId };
}

/** The unique keys that kept a record from being stored. */
export interface RecordConflict {
  readonly table: Table;
  readonly record: RecordToStore;
  readonly keys: readonly string[];
}

// Not in the errors: hosts log and send those, and the record has hidden parts.
const conflicts = new WeakMap<object, RecordConflict>();

/** The conflict behind a refusal; undefined for every other error. */
export function conflictOf(error: unknown): RecordConflict | undefined {
  return error instanceof IdentityError ? conflicts.get(error) : undefined;
}

async function naming<Wire extends BaseRecord, Request>(
  family: Family<Wire, Request>,
  record: RecordToStore,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw toDuplicateErrors(family, record, error);
  }
}

function toDuplicateErrors<Wire extends BaseRecord, Request>(
  family: Family<Wire, Request>,
  record: RecordToStore,
  error: unknown,
): unknown {
  if (error instanceof StaleVersion) return generalError("notFound", undefined, { cause: error });
  if (!(error instanceof UniqueViolation)) return error;
  const errors: Errors = new FieldErrorList();
  for (const key of error.keys)
    if (key === "id") errors.add("duplicate", family.idParameter);
    else if (!error.keys.includes("id") || !isMadeOfId(family.table, key, record))
      errors.add("duplicate", family.uniquePaths[key] ?? key);
  if (errors.isEmpty) return error;
  const refusal = errors.toError();
  conflicts.set(refusal, { table: family.table, record, keys: error.keys });
  return refusal;
}

// A default that equals the id, such as the client id of an entity, collides along with it and is no error of its own.
function isMadeOfId(table: Table, key: string, record: RecordToStore): boolean {
  const columns = table.uniqueKeys.find((known) => known.name === key)?.columns ?? [];
  return columns.every((column) => record.columns[column] === record.id);
}

/** An answer with further members. */
export function withMembers(answer: OperationResult, members: Readonly<Record<string, unknown>>): OperationResult {
  return Object.keys(members).length === 0 ? answer : { ...answer, json: addMembers(answer.json, members) };
}
