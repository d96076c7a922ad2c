import type { Access, RecordVerb, Route } from "../../http/route/define-route.js";
import type { LazySchema } from "../../http/schema/parse-with.js";
import type { Timers } from "../../ports/runtime.js";
import type { StoredRecord, Table, Transaction } from "../../ports/storage.js";
import type { SealedPart } from "../../security/seal.js";
import type { NewEvent } from "../events/recorded-event.js";
import type { Operation, OperationCall, OperationSignature, WriteCall } from "../operation.js";
import type { ServiceContext } from "../service-context.js";
import type { BaseRecord, Family, SearchableFamily } from "./family.js";

/** How one operation of a family is called: a standard one by its name, unless `isCustom` is set. */
export interface OperationRow
  extends Partial<Pick<Operation<unknown, unknown>, "bodyKinds" | "bulkLists" | "streamedType" | "streamedBody" | "toRefusal">> {
  /** Members of the in-process input that are parameters. For standard operations, without those that identify a record. */
  readonly parameters?: readonly string[];
  /** The rules of the family implement it, in `operations`. */
  readonly isCustom?: true;
}

interface InProcessRow extends OperationRow {
  readonly access: Access;
}

/** Records that every service has from its first start: made once in the life of a storage, and not again after a removal. */
export interface BuiltIn {
  readonly name: string;
  /** The variant that an option selects: the records are made once for each. */
  readonly variant?: (service: ServiceContext) => string;
  readonly make: (tx: Transaction, service: ServiceContext, defaultTenantId: string) => Promise<void>;
}

/** Records that expire: their table, the column of the instant, and the retention after it, in milliseconds. */
export type Retention = readonly [table: Table, column: string, keepMs: number];

/** A family as data: all that the start of a service needs. Its rules are in a separate module, which its first call loads. */
export interface FamilyRow<Name extends string, Signatures> {
  /** The name in the in-process API: `groups`. */
  readonly name: Name;
  /** The path parameter: `groupId`. */
  readonly idParameter?: string;
  readonly addressParameters?: readonly string[];
  readonly operations: { readonly [Verb in keyof Signatures]: OperationRow };
  readonly routes: readonly Route<keyof Signatures & string>[];
  readonly inProcess?: Readonly<Record<string, InProcessRow>>;
  /** In-process functions that its rules build from one caller's calls, by family and name: `users.import`. */
  readonly inProcessCalls?: readonly `${string}.${string}`[];
  /** Its tables, each after those that it refers to. */
  readonly tables?: readonly Table[];
  readonly retention?: readonly Retention[];
  /** For families with sealed texts in the table of their name: the part of a record for each hidden text. */
  readonly sealedPart?: SealedPart;
  /** The tables with events for removed records. */
  readonly announced?: readonly Table[];
  /** The name of its records in the audit log; absent for logs, and for records that administrators do not change. */
  readonly auditName?: string;
  /** Records that every service has from its first start. */
  readonly builtIn?: Omit<BuiltIn, "make">;
  /** The form of its records in configuration documents; absent for data. */
  readonly configuration?: ConfigurationRow;
}

/** The row of a family of records: most of the family's definition. */
export type RecordRow<Name extends string, Wire extends BaseRecord, Request, Signatures> = FamilyRow<Name, Signatures> &
  Omit<Family<Wire, Request>, "name" | "rules" | "locate" | "referencesOf">;

/** The row of a family with a search and a custom retrieve operation. */
export type SearchRow<Name extends string, Wire extends BaseRecord, Request, Signatures> = FamilyRow<Name, Signatures> &
  Omit<SearchableFamily<Wire, Request>, "name" | "rules">;

/** The part of a record family's row that configuration documents need. */
export type ConfiguredRow = Pick<FamilyRow<string, unknown>, "configuration"> &
  Pick<
    Family<BaseRecord, unknown>,
    | "wrapper"
    | "idParameter"
    | "table"
    | "request"
    | "sealedPaths"
    | "writeOnlyPaths"
    | "namedMembers"
    | "namedValues"
    | "keyedMaps"
  >;

/** An operation that the family implements itself. */
export function customOperation(...parameters: readonly string[]): OperationRow {
  return { parameters, isCustom: true };
}

/** An operation that all families implement in the same way. */
export const standard: OperationRow = {};

export const recordOperations: Readonly<Record<RecordVerb, OperationRow>> = {
  create: standard,
  retrieve: standard,
  list: standard,
  update: standard,
  patch: standard,
  remove: standard,
};

export const searchableOperations: Readonly<Record<RecordVerb | "search", OperationRow>> = {
  ...recordOperations,
  search: standard,
};

/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * The form of a family's records in a configuration document. Paths are dotted, from the record, with `[]` for each element of a
 * list.
 */
export interface ConfigurationRow {
  /** Paths that identify a record: a reference stands for the key of its target. */
  readonly key: readonly string[];
  /** The family of each reference, by path. */
  readonly references?: Readonly<Record<string, string>>;
  /** References that have no order. */
  readonly sets?: readonly string[];
  /** Members of the request beside the wrapper. */
  readonly beside?: readonly string[];
  /** The parameter with the id of the record's parent; records hide its value. */
  readonly address?: string;
  /** The parent family that nests these records, and the member that holds them. */
  readonly nested?: { readonly in: string; readonly as: string };
  /** There is one record, which can only be changed. */
  readonly isSingle?: true;
  /** The paths of a record that cannot change. */
  readonly fixed?: (stored: Members) => readonly string[];
  /** Where secrets may be; an object there holds one in each member. */
  readonly secrets?: readonly string[];
  /** Members that a document may omit: the service keeps its value, or generates one. */
  readonly own?: readonly string[];
  /** Members that only a new record accepts: whether a text is the one of the stored record. */
  readonly madeWith?: Readonly<Record<string, (service: ServiceContext, stored: StoredRecord, text: string) => boolean>>;
  /** Members that a new record requires beside those of the schema. */
  readonly needs?: (record: Members) => readonly string[];
  /** The schema of a new record, where it differs from that of a change. */
  readonly newRequest?: LazySchema<unknown>;
  /** The names of the operations, where they are not the standard ones. */
  readonly verbs?: { readonly create?: (record: Members) => string; readonly update?: string };
  readonly takesNoId?: true;
  /** Further options of a removal. */
  readonly removal?: (stored: Members) => Members;
  /** Whether the service created the record itself. */
  readonly isBuiltIn?: (stored: StoredRecord, record: Members, service: ServiceContext) => boolean;
  /** Whether an export leaves out the record. */
  readonly isOwn?: (stored: StoredRecord, record: Members) => boolean;
  /** Whether a record is configuration; default: all are. */
  readonly isConfigured?: (record: Members) => boolean;
  /** A record in the form of a document, where that differs from a request. */
  readonly describe?: (record: Members) => Members;
  /** Members of a request that follow from other members. */
  readonly derived?: (record: Members) => readonly string[];
}

interface ExampleContext {
  /** A number that is unique among the records of the family. */
  readonly number: number;
  /** The id at a path of the changes, such as `registration.applicationId`; without one, the id of a record created for it. */
  readonly idAt: (path: string, family: string) => Promise<string>;
  /** Creates a record of another family and returns its id. */
  readonly make: (family: string) => Promise<string>;
  /** Whether the changes have a value at a path. */
  readonly has: (path: string) => boolean;
  readonly list: (family: string) => Promise<readonly Members[]>;
}

/** The input that creates one record of a family in tests (`latchkey/testing`): required members only. */
export type FamilyExample<Input extends object = object> = (context: ExampleContext) => Input | Promise<Input>;

/**
 * The events of records that are about to be removed, in their state before. `removedWith`: the table of the record that takes
 * them along.
 */
export type DescribeRemoval = (
  call: WriteCall,
  records: readonly StoredRecord[],
  removedWith?: Table,
) => Promise<readonly NewEvent[]>;

/** The form in documents of values that only one service knows, such as version numbers. */
export interface DocumentForm {
  /** Replaces them in a record by values that every service can look up. */
  readonly write: (call: OperationCall, record: Members) => Promise<Members>;
  /**
   * Translates portable values of a document, such as digests of lambda versions, into those of this service. `stored`: the record before
   * the change; undefined for a new one.
   * @throws IdentityError 400 for a value that this service does not have.
   */
  readonly read: (call: OperationCall, record: Members, stored: Members | undefined) => Promise<Members>;
  /** The ids of records of the family that must be up to date before a record is read. */
  readonly readsAfter: (record: Members) => readonly string[];
}

/** The module `rules.ts` of a family: everything that only its calls need. Exports a family of records under its name. */
export interface FamilyRulesModule {
  readonly operations?: Readonly<Record<string, Operation<unknown, unknown>["run"]>>;
  readonly makeBuiltIn?: BuiltIn["make"];
  readonly documentForm?: DocumentForm;
  readonly inProcessCalls?: Readonly<Record<string, (calls: object, timers: Timers) => (...given: never[]) => Promise<unknown>>>;
  /** By table name. */
  readonly describeRemoved?: Readonly<Record<string, DescribeRemoval>>;
  readonly example?: FamilyExample;
}

/** The id of a record. */
export type IdInput<Parameter extends string> = { readonly [Name in Parameter]: string };

/** PATCH in process: the document and its mode. `append` is the `application/json` flavor. */
export type PatchInput<Parameter extends string> = IdInput<Parameter> & {
  readonly patch: unknown;
  readonly mode?: "append" | "merge" | "json";
};

/** Page options of every search beside its criteria (docs/reference/wire.md#resources). */
export interface PageCriteria {
  /** 0 to 10,000; default 25. */
  readonly numberOfResults?: number;
  /** From 0. */
  readonly startRow?: number;
  /** `field [ASC|DESC], …`. */
  readonly orderBy?: string;
  /** The token from the answer of the page before. */
  readonly nextResults?: string;
}

/** The input of a search. */
export interface SearchInput<Criteria> {
  /** Criteria and page. Default: the first 25 records in the default order. */
  readonly search?: Criteria & PageCriteria;
}

/** The output of a search: one page, the count of all matches, and the token of the next page if there is one. */
export type SearchOutput<Plural extends string, Wire> = { readonly [Name in Plural]: readonly Wire[] } & {
  readonly total: number;
  readonly nextResults?: string;
};

/**
 * Operations on the records of a family. `Wrapper` names one record in requests and answers, with `Id` behind it the parameter of its id;
 * `Plural` names many. `Output` is the answer with one.
 */
export interface RecordOperations<
  Wrapper extends string,
  Plural extends string,
  Wire,
  Request,
  Output = { readonly [Name in Wrapper]: Wire },
> {
  /** Creates and returns a record. */
  readonly create: OperationSignature<Request & Partial<IdInput<`${Wrapper}Id`>>, Output>;
  /** Returns a record; 404 for an unknown id. */
  readonly retrieve: OperationSignature<IdInput<`${Wrapper}Id`>, Output>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly [Name in Plural]: readonly Wire[] }>;
  /** Replaces a record; missing members return to their defaults. */
  readonly update: OperationSignature<Request & IdInput<`${Wrapper}Id`>, Output>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<`${Wrapper}Id`>, Output>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<`${Wrapper}Id`>, undefined>;
}

/** The search of the records of a family. */
export interface SearchOperation<Plural extends string, Wire, Criteria> {
  /** Searches records; returns a sorted page and the total. */
  readonly search: OperationSignature<SearchInput<Criteria>, SearchOutput<Plural, Wire>>;
}

/** Operations on the records of a family with a search. */
export interface SearchableOperations<
  Wrapper extends string,
  Plural extends string,
  Wire,
  Request,
  Criteria,
  Output = { readonly [Name in Wrapper]: Wire },
> extends RecordOperations<Wrapper, Plural, Wire, Request, Output>,
    SearchOperation<Plural, Wire, Criteria> {}
