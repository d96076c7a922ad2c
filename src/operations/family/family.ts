import type { LazySchema } from "../../http/schema/parse-with.js";
import type { Names } from "../../ports/names.js";
import type { Column, ColumnValue, Filter, RecordToStore, StoredRecord, Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { isObject } from "../../shared/objects.js";
import type { OperationCall, WriteCall } from "../operation.js";
import type { KeyRequirement } from "./key-requirements.js";

/** The members of every record on the wire. */
export interface BaseRecord {
  /** The record's UUID. */
  readonly id: string;
  /** The instant of its creation, in epoch milliseconds. */
  readonly insertInstant: number;
  /** The instant of its last change, in epoch milliseconds. */
  readonly lastUpdateInstant: number;
}

/**
 * A member of a record that holds the id of another: its path from the wrapper, the table of the id, the id, and whether the
 * target is allowed there (default: any).
 */
export interface Reference {
  readonly path: string;
  readonly table: string;
  readonly id: string;
  readonly fits?: ((named: StoredRecord) => boolean) | undefined;
  /** The requirement of a key, where its place in `keyPlaces` does not define it. */
  readonly needs?: KeyRequirement | undefined;
}

/** The input of a draft beside the request. */
export interface DraftContext<Wire> {
  readonly id: string;
  readonly tenantId: string | undefined;
  /** The record of that tenant; undefined where the call changes no record of a tenant. */
  readonly tenant?: StoredRecord | undefined;
  readonly now: number;
  /** The record that is being changed; undefined on create. */
  readonly current: { readonly record: Wire; readonly hidden: string | null } | undefined;
}

/** The id and the instants of a record. Add them to the parsed fields of the request, so that no field is forgotten. */
export function toBaseRecord({
  current,
  id,
  now,
}: Pick<DraftContext<Pick<BaseRecord, "insertInstant">>, "current" | "id" | "now">): BaseRecord {
  return { id, insertInstant: current?.record.insertInstant ?? now, lastUpdateInstant: now };
}

/** The input of `prepare` beside the request. */
export interface PrepareContext<Request> {
  readonly id: string;
  /** The current record, read outside of the transaction; undefined on create. */
  readonly stored?: StoredRecord | undefined;
  /** The result of `prepare` for an older state of the record, for the same patch. */
  readonly earlier?: Request | undefined;
}

/** A record to store, once it has been validated. */
export interface Draft<Wire> {
  /** The record as on the wire, without derived members. */
  readonly record: Wire;
  /** The part that the wire never shows. */
  readonly hidden?: Readonly<Record<string, unknown>> | undefined;
  readonly columns: Readonly<Record<string, ColumnValue>>;
  /** Members that only the answer of this call shows: a secret that cannot be read again. */
  readonly shownOnce?: Readonly<Record<string, unknown>>;
}

/** One change of one record, as the input of rules. */
export interface Change<Wire, Request> {
  readonly kind: "create" | "update";
  readonly request: Request;
  readonly draft: Draft<Wire>;
  readonly original: Wire | undefined;
  /** The stored record before the change; undefined for a new one. */
  readonly stored: StoredRecord | undefined;
}

/** A URL of a record that the service calls. */
export interface OutboundUrl {
  /** The path from the record, such as `url`. */
  readonly setting: string;
  readonly url: string | undefined;
  /** The effect where calls to the URL are forbidden, such as `gets no events`. */
  readonly loss: string;
  /** Its name in the log. Default: the kind of the record and its id. */
  readonly subject?: string | undefined;
}

/** The rules of one family. Without a rule, the family has the default behavior. */
interface FamilyRules<Wire, Request> {
  /** Completes the body of a POST from the records that it refers to. */
  readonly completeBody?: (call: OperationCall) => Promise<unknown>;
  /** The tenant of a new record, where another record determines it. Default: the tenant of the call or the body. */
  readonly tenantOf?: (call: WriteCall, request: Request, id: string) => Promise<string | undefined>;
  /**
   * Work that must not hold a transaction, such as hashing; its result replaces the request. Runs before the transaction, and
   * once more inside when the record of a patch changed meanwhile.
   */
  readonly prepare?: (call: OperationCall, request: Request, context: PrepareContext<Request>) => Promise<Request>;
  /** The filter of a list without an id. Default: all records in its scope. */
  readonly listFilter?: (call: OperationCall) => Filter | undefined | Promise<Filter>;
  readonly toDraft: (call: WriteCall, request: Request, context: DraftContext<Wire>) => Draft<Wire> | Promise<Draft<Wire>>;
  /** Validates across records, before the record is stored. Throws an IdentityError. */
  readonly check?: (call: WriteCall, change: Change<Wire, Request>) => Promise<void>;
  /** Writes further records and events, after `record` is stored. */
  readonly afterWrite?: (call: WriteCall, change: Change<Wire, Request>, record: RecordToStore) => Promise<void>;
  /** The URLs of a record that the service calls; the log warns about forbidden ones. Default: none. */
  readonly outboundUrls?: (record: Wire) => readonly OutboundUrl[];
  /** Refuses the removal of a record, or removes dependent records first. Throws an IdentityError. */
  readonly beforeRemove?: (call: WriteCall, record: Wire) => Promise<void>;
  readonly afterRemove?: (call: WriteCall, record: Wire) => Promise<void>;
  /** The request document of a stored record, which PATCH patches. Default: `{[wrapper]: record}`. */
  readonly toRequestDocument?: (call: OperationCall, stored: StoredRecord, record: Wire) => Promise<Record<string, unknown>>;
  /**
   * The JSON texts of records on the wire, in their order. Default: as stored. One statement serves all records. Sealed fields
   * are open already.
   */
  readonly present?: (call: OperationCall, records: readonly StoredRecord[]) => readonly string[] | Promise<readonly string[]>;
}

/** The keys of a map: ids, in lower case, or case-insensitive names that keep their first spelling. */
export type KeyKind = "id" | "name";

/** A member with a host-defined name in bodies. */
export type NamedMember = keyof Names | "moderationConfiguration";

/** A kind of record with an address: its names, shape, table and rules. */
export interface Family<Wire extends BaseRecord, Request> {
  /** The name in the in-process API: `groups`. */
  readonly name: string;
  /** The member that wraps one record in bodies: `group`. */
  readonly wrapper: string;
  /** The member that wraps a list: `groups`. */
  readonly plural: string;
  /** The path of the search over HTTP, in pages; absent where there is none. */
  readonly searchPath?: string | undefined;
  /** The path parameter: `groupId`. */
  readonly idParameter: string;
  /** Further parameters that identify a record, such as the id of its parent. */
  readonly addressParameters?: readonly string[];
  readonly table: Table;
  readonly request: LazySchema<Request>;
  readonly search: SearchDefinition;
  /** The field path of each unique key of the table. */
  readonly uniquePaths: Readonly<Record<string, string>>;
  /** Dotted paths of arrays without repeats when PATCH appends. */
  readonly setPaths: ReadonlySet<string>;
  /** Dotted paths of arrays that PATCH replaces where it would append to others. */
  readonly replacedPaths?: ReadonlySet<string>;
  /** Maps whose keys have several spellings, by dotted path from the record; see `normalizeKeys`. */
  readonly keyedMaps?: Readonly<Record<string, KeyKind>>;
  /** Members with host-defined names in bodies, from the option `names`. */
  readonly namedMembers?: readonly NamedMember[];
  /**
   * Members whose value may stand for a vendor. Bodies have the host's word, in any case; records have the word of the reference.
   */
  readonly namedValues?: Readonly<Record<string, readonly (keyof Names)[]>>;
  /** Other members that may wrap a record in bodies. Answers and JSON Patch use only `wrapper`. */
  readonly otherWrappers?: readonly string[];
  /** The filter that finds a call's record. Default: by id. Throws an IdentityError for invalid parameters. */
  readonly locate?: (call: OperationCall) => Filter;
  /**
   * Dotted paths of fields that callers may read and that are sealed at rest, such as the password of a receiver; `*` is each
   * member of a map.
   */
  readonly sealedPaths?: readonly string[];
  /**
   * Dotted paths of texts that are sealed and never shown again, such as a secret for lambdas: answers have `writeOnlyMask`
   * there, and a request that has it keeps the stored value. `*` is each member of a map.
   */
  readonly writeOnlyPaths?: readonly string[];
  /** Dotted paths of further secrets from `rules.present` that the audit log must not show, such as the value of a key. */
  readonly secretPaths?: readonly string[];
  /** Fields that never change after creation: PUT and PATCH may omit them, and ignore other values. */
  readonly fixedFields?: readonly string[];
  /** The ids of other records inside a record. They must exist and cannot be removed (see `references.ts`). */
  readonly referencesOf?: (record: Wire) => readonly Reference[];
  readonly rules: FamilyRules<Wire, Request>;
}

/** The part of a family that showing its records needs. */
export type PresentedFamily<Wire extends BaseRecord, Request> = Pick<
  Family<Wire, Request>,
  "name" | "wrapper" | "sealedPaths" | "secretPaths" | "namedMembers" | "namedValues"
> & { readonly rules?: Pick<FamilyRules<Wire, Request>, "present"> };

/** The part of a family that searching needs. */
export type SearchableFamily<Wire extends BaseRecord, Request> = PresentedFamily<Wire, Request> &
  Pick<Family<Wire, Request>, "plural" | "table" | "search">;

/** The wire record that a stored one holds. */
export function parseRecord<Wire>(stored: StoredRecord): Wire {
  return JSON.parse(stored.json) as Wire;
}

/** The hidden part of a stored record. */
export function parseHidden<Hidden>(stored: { readonly hidden: string | null }): Hidden | undefined {
  return stored.hidden === null ? undefined : (JSON.parse(stored.hidden) as Hidden);
}

/** A body with the members of `source` for those that its record lacks; leaves a record of the wrong type to the schema. */
export function completeFrom(body: object, wrapper: string, source: object): object {
  const own = (body as Readonly<Record<string, unknown>>)[wrapper] ?? {};
  return typeof own !== "object" || Array.isArray(own) ? body : { ...body, [wrapper]: { ...source, ...own } };
}

/** A body with the stored values of immutable fields; leaves a record of the wrong type to the schema. */
export function copyFixedFields<Wire extends BaseRecord, Request>(
  family: Pick<Family<Wire, Request>, "wrapper" | "fixedFields">,
  body: unknown,
  stored: StoredRecord,
): unknown {
  const record = (body as Readonly<Record<string, unknown>> | null | undefined)?.[family.wrapper];
  if (family.fixedFields === undefined || !isObject(record)) return body;
  const own = parseRecord<Readonly<Record<string, unknown>>>(stored);
  const kept = Object.fromEntries(family.fixedFields.map((name) => [name, own[name]]));
  return { ...(body as object), [family.wrapper]: { ...record, ...kept } };
}

/** Checks at start what TypeScript cannot: unique keys and indexes name existing columns. */
export function defineTable(table: Table): Table {
  const known = new Set(["id", "tenantId", "insertInstant", "lastUpdateInstant", ...Object.keys(table.columns)]);
  const named = [...table.uniqueKeys, ...table.indexes].flatMap((index) => index.columns);
  for (const column of named) if (!known.has(column)) throw new TypeError(`${table.name} has no column ${column}.`);
  return Object.freeze(table);
}

/** A column for a name that is searched, sorted and compared without case. */
export const foldedName: Column = Object.freeze({ type: "text" });

/** The search of a family by name alone. */
export const nameSearch: SearchDefinition = {
  filters: { name: { kind: "text", column: "nameFolded" } },
  sortable: {
    id: { column: "id" },
    insertInstant: { column: "insertInstant" },
    name: { column: "nameFolded" },
  },
  defaultOrder: "name ASC",
};
