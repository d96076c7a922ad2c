import type { LazySchema } from "../../http/schema/parse-with.js";
import type { Names } from "../../ports/names.js";
import type { Column, ColumnValue, Filter, RecordToStore, StoredRecord, Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import { isObject } from "../../shared/objects.js";
import type { OperationCall, WriteCall } from "../operation.js";
import type { KeyRequirement } from "./key-requirements.js";

/** What every record on the wire has. */
export interface BaseRecord {
  /** The record's UUID. */
  readonly id: string;
  /** When it was created, in epoch milliseconds. */
  readonly insertInstant: number;
  /** When it was last changed, in epoch milliseconds. */
  readonly lastUpdateInstant: number;
}

/**
 * A member of a record that holds the id of another: its path from the wrapper, the table that the id is of, the id, and whether the
 * record with that id may stand there; absent: any may.
 */
export interface Reference {
  readonly path: string;
  readonly table: string;
  readonly id: string;
  readonly fits?: ((named: StoredRecord) => boolean) | undefined;
  /** Of a key: what it must be, where its place among `keyPlaces` does not say it. */
  readonly needs?: KeyRequirement | undefined;
}

/** What a record is made from, besides the request. */
export interface DraftContext<Wire> {
  readonly id: string;
  readonly tenantId: string | undefined;
  /** The record of that tenant; undefined for none, and where the call makes or changes no record of a tenant. */
  readonly tenant?: StoredRecord | undefined;
  readonly now: number;
  /** The record that is being changed; undefined on create. */
  readonly current: { readonly record: Wire; readonly hidden: string | null } | undefined;
}

/** What a request is about before its transaction. */
export interface PrepareContext<Request> {
  readonly id: string;
  /** The record as it is at this moment; undefined on create. */
  readonly stored?: StoredRecord | undefined;
  /** What was prepared of an older record for the same patch. */
  readonly earlier?: Request | undefined;
}

/** A record that is ready to be stored, once it has been validated. */
export interface Draft<Wire> {
  /** As the wire shows it, without what is derived. */
  readonly record: Wire;
  /** What the wire never shows; undefined for nothing. */
  readonly hidden?: Readonly<Record<string, unknown>> | undefined;
  readonly columns: Readonly<Record<string, ColumnValue>>;
  /** Members that the answer of this one call shows, and no later one: a secret that cannot be read again. */
  readonly shownOnce?: Readonly<Record<string, unknown>>;
}

/** One change of one record, as rules see it. */
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
  /** Below the record, such as `url`. */
  readonly setting: string;
  readonly url: string | undefined;
  /** What fails where calls may not go there, such as `gets no events`. */
  readonly loss: string;
  /** What it is, for the log. Default: the kind of the record and its id. */
  readonly subject?: string | undefined;
}

/** What is special about a family. Everything that is not given here is what all families do. */
interface FamilyRules<Wire, Request> {
  /** The body of a POST with what it only refers to filled in, such as the record that it copies. */
  readonly completeBody?: (call: OperationCall) => Promise<unknown>;
  /** The tenant of a new record, where it follows from another record. Default: what the call or the body says. */
  readonly tenantOf?: (call: WriteCall, request: Request, id: string) => Promise<string | undefined>;
  /**
   * Work that must not hold a transaction, such as hashing; its result replaces the request. Runs before the transaction, and only where
   * the record of a patch changed meanwhile once more inside.
   */
  readonly prepare?: (call: OperationCall, request: Request, context: PrepareContext<Request>) => Promise<Request>;
  /** Which records a list without an id has. Default: all in its scope. */
  readonly listFilter?: (call: OperationCall) => Filter | undefined | Promise<Filter>;
  /** The record that a request makes. */
  readonly toDraft: (call: WriteCall, request: Request, context: DraftContext<Wire>) => Draft<Wire> | Promise<Draft<Wire>>;
  /** Validates across records, before the record is stored. Throws an IdentityError. */
  readonly check?: (call: WriteCall, change: Change<Wire, Request>) => Promise<void>;
  /** Writes further records and events, after the record is stored: `record` is that. */
  readonly afterWrite?: (call: WriteCall, change: Change<Wire, Request>, record: RecordToStore) => Promise<void>;
  /** The URLs of a record that the service calls: the log names those that calls may not go to. Default: none. */
  readonly outboundUrls?: (record: Wire) => readonly OutboundUrl[];
  /** Whether a record may be removed, and what else goes; before it is removed. Throws an IdentityError. */
  readonly beforeRemove?: (call: WriteCall, record: Wire) => Promise<void>;
  readonly afterRemove?: (call: WriteCall, record: Wire) => Promise<void>;
  /** The request document that a stored record stands for, which PATCH patches. Default: `{[wrapper]: record}`. */
  readonly toRequestDocument?: (call: OperationCall, stored: StoredRecord, record: Wire) => Promise<Record<string, unknown>>;
  /**
   * The JSON texts that the wire shows for records, in their order. Default: as stored. One statement for all, not one each.
   * Sealed fields are open already.
   */
  readonly present?: (call: OperationCall, records: readonly StoredRecord[]) => readonly string[] | Promise<readonly string[]>;
}

/** What the keys of a map are: ids, which are lower case, or names that ignore case and keep the spelling that was there first. */
export type KeyKind = "id" | "name";

/** A member that bodies call by a word of the host. */
export type NamedMember = keyof Names | "moderationConfiguration";

/** A kind of record with an address: its names, shape, table and rules. */
export interface Family<Wire extends BaseRecord, Request> {
  /** The name in the in-process API: `groups`. */
  readonly name: string;
  /** The member that wraps one record in bodies: `group`. */
  readonly wrapper: string;
  /** The member that wraps a list: `groups`. */
  readonly plural: string;
  /** Where its records are searched over HTTP, in pages; absent where they cannot be. */
  readonly searchPath?: string | undefined;
  /** The path parameter: `groupId`. */
  readonly idParameter: string;
  /** Further parameters that name a record, such as the id of what it belongs to. */
  readonly addressParameters?: readonly string[];
  readonly table: Table;
  readonly request: LazySchema<Request>;
  readonly search: SearchDefinition;
  /** The path of the field that each unique key of the table is about. */
  readonly uniquePaths: Readonly<Record<string, string>>;
  /** Dotted paths of arrays that keep one of each when PATCH appends. */
  readonly setPaths: ReadonlySet<string>;
  /** Dotted paths of arrays that PATCH replaces where it would append to others. */
  readonly replacedPaths?: ReadonlySet<string>;
  /** Maps whose keys have several spellings, by dotted path from the record; see `normalizeKeys`. */
  readonly keyedMaps?: Readonly<Record<string, KeyKind>>;
  /** Members that bodies call as the host does: the option `names` has the words. */
  readonly namedMembers?: readonly NamedMember[];
  /** Members whose value may be one of these words for vendors: bodies have the host's, in any case, and records the word that it stands for. */
  readonly namedValues?: Readonly<Record<string, readonly (keyof Names)[]>>;
  /** Other members that a body may wrap one record in. Answers and JSON Patch know the wrapper alone. */
  readonly otherWrappers?: readonly string[];
  /** How the parameters of a call find a record. Default: by its id. Throws an IdentityError for parameters that cannot be right. */
  readonly locate?: (call: OperationCall) => Filter;
  /** Dotted paths of fields that are shown to callers and sealed at rest, such as the password of a receiver; `*` is each member of a map. */
  readonly sealedPaths?: readonly string[];
  /**
   * Dotted paths of texts that are sealed at rest and never shown again, such as a secret for lambdas: answers have
   * `writeOnlyMask` there, and a request that has it keeps the stored value. `*` is each member of a map.
   */
  readonly writeOnlyPaths?: readonly string[];
  /** Dotted paths of what `rules.present` shows beside those and the audit log must not, such as the value of a key. */
  readonly secretPaths?: readonly string[];
  /** Fields that a record keeps from its creation: PUT and PATCH need not say them, and change nothing when they do. */
  readonly fixedFields?: readonly string[];
  /** The ids of other records inside a record's text. They must exist, and what they name cannot be removed (see `references.ts`). */
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

/** What a stored record hides. */
export function parseHidden<Hidden>(stored: { readonly hidden: string | null }): Hidden | undefined {
  return stored.hidden === null ? undefined : (JSON.parse(stored.hidden) as Hidden);
}

/** A body whose record says what `source` says wherever it says nothing itself; a record of the wrong type is left to the schema. */
export function completeFrom(body: object, wrapper: string, source: object): object {
  const own = (body as Readonly<Record<string, unknown>>)[wrapper] ?? {};
  return typeof own !== "object" || Array.isArray(own) ? body : { ...body, [wrapper]: { ...source, ...own } };
}

/** A body whose record says of the fields that never change what the stored one says; a record of the wrong type is left to the schema. */
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

/** Checks what TypeScript cannot: that unique keys and indexes name columns that exist. */
export function defineTable(table: Table): Table {
  const known = new Set(["id", "tenantId", "insertInstant", "lastUpdateInstant", ...Object.keys(table.columns)]);
  const named = [...table.uniqueKeys, ...table.indexes].flatMap((index) => index.columns);
  for (const column of named) if (!known.has(column)) throw new TypeError(`${table.name} has no column ${column}.`);
  return Object.freeze(table);
}

/** A column for a name that is searched, sorted and compared without case. */
export const foldedName: Column = Object.freeze({ type: "text" });

/** The search of a family that has a name and nothing else to ask for. */
export const nameSearch: SearchDefinition = {
  filters: { name: { kind: "text", column: "nameFolded" } },
  sortable: {
    id: { column: "id" },
    insertInstant: { column: "insertInstant" },
    name: { column: "nameFolded" },
  },
  defaultOrder: "name ASC",
};
