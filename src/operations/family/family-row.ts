import type { Access, RecordVerb, Route } from "../../http/route/define-route.js";
import type { LazySchema } from "../../http/schema/parse-with.js";
import type { Timers } from "../../ports/runtime.js";
import type { StoredRecord, Table, Transaction } from "../../ports/storage.js";
import type { SealedPart } from "../../security/seal.js";
import type { NewEvent } from "../events/recorded-event.js";
import type { Operation, OperationCall, WriteCall } from "../operation.js";
import type { ServiceContext } from "../service-context.js";
import type { BaseRecord, Family, SearchableFamily } from "./family.js";

/** How one operation of a family is called. It does what all families do under its name, unless it is the family's own. */
export interface OperationRow
  extends Partial<Pick<Operation<unknown, unknown>, "bodyKinds" | "bulkLists" | "streamedType" | "streamedBody" | "toRefusal">> {
  /** Members of the in-process input that are parameters. Where the operation is not the family's own: beside those that name a record. */
  readonly parameters?: readonly string[];
  /** The module of the family's rules has what it does, under its name among the `operations`. */
  readonly isCustom?: true;
}

/** An operation that callers in process alone reach. */
interface InProcessRow extends OperationRow {
  /** Who may call it. */
  readonly access: Access;
}

/** Records that every service has from its first start, made once in the life of a storage: what is removed later stays away. */
export interface BuiltIn {
  readonly name: string;
  /** What an option makes of it: the records are made once for each. */
  readonly variant?: (service: ServiceContext) => string;
  readonly make: (tx: Transaction, service: ServiceContext, defaultTenantId: string) => Promise<void>;
}

/** Records that expire: their table, the instant that counts, and the retention after it, in milliseconds. */
export type Retention = readonly [table: Table, column: string, keepMs: number];

/** A family as data: all that a start needs to know of it. Its rules are in a module of their own, which its first call loads. */
export interface FamilyRow<Name extends string, Signatures> {
  /** The name in the in-process API: `groups`. */
  readonly name: Name;
  /** The path parameter: `groupId`. */
  readonly idParameter?: string;
  readonly addressParameters?: readonly string[];
  readonly operations: { readonly [Verb in keyof Signatures]: OperationRow };
  readonly routes: readonly Route<keyof Signatures & string>[];
  readonly inProcess?: Readonly<Record<string, InProcessRow>>;
  /** Functions in process that its rules make of the calls of one caller, by the family and the name that they get: `users.import`. */
  readonly inProcessCalls?: readonly `${string}.${string}`[];
  /** Its tables, each behind those that it refers to. */
  readonly tables?: readonly Table[];
  readonly retention?: readonly Retention[];
  /** For families that hide sealed texts in the table of their name: the part of a record that each is. */
  readonly sealedPart?: SealedPart;
  /** The tables whose records publish events when they are removed. */
  readonly announced?: readonly Table[];
  /** What entries of the audit log call a record; absent where changes are no administrator's, or logs themselves. */
  readonly auditName?: string;
  /** What every service has of it from its first start. */
  readonly builtIn?: Omit<BuiltIn, "make">;
  /** How configuration documents write its records; absent for data. */
  readonly configuration?: ConfigurationRow;
}

/** The row of a family of records, which is most of the family. */
export type RecordRow<Name extends string, Wire extends BaseRecord, Request, Signatures> = FamilyRow<Name, Signatures> &
  Omit<Family<Wire, Request>, "name" | "rules" | "locate" | "referencesOf">;

/** The row of a family whose records are only searched and shown by a call of its own. */
export type SearchRow<Name extends string, Wire extends BaseRecord, Request, Signatures> = FamilyRow<Name, Signatures> &
  Omit<SearchableFamily<Wire, Request>, "name" | "rules">;

/** The part of the row of a family of records that configuration documents need. */
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

/** An operation that is the family's own. */
export function customOperation(...parameters: readonly string[]): OperationRow {
  return { parameters, isCustom: true };
}

/** An operation that all families do in the same way. */
export const standard: OperationRow = {};

/** The operations of a family of records. */
export const recordOperations: Readonly<Record<RecordVerb, OperationRow>> = {
  create: standard,
  retrieve: standard,
  list: standard,
  update: standard,
  patch: standard,
  remove: standard,
};

/** The operations of a family of records with a search. */
export const searchableOperations: Readonly<Record<RecordVerb | "search", OperationRow>> = {
  ...recordOperations,
  search: standard,
};

/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** How the records of a family stand in a configuration document. Paths are dotted, from the record, with `[]` for each element of a list. */
export interface ConfigurationRow {
  /** Identifies a record among others: a path that is a reference stands for the key of its target. */
  readonly key: readonly string[];
  /** The families that ids lead to. */
  readonly references?: Readonly<Record<string, string>>;
  /** References whose order says nothing. */
  readonly sets?: readonly string[];
  /** Members of the request that stand beside the wrapper. */
  readonly beside?: readonly string[];
  /** The parameter that names what a record belongs to; records hide its value. */
  readonly address?: string;
  /** The family whose records hold these, and the member that they do so in. */
  readonly nested?: { readonly in: string; readonly as: string };
  /** There is one record, which can only be changed. */
  readonly isSingle?: true;
  /** What a record is for good. */
  readonly fixed?: (stored: Members) => readonly string[];
  /** Where secrets may stand; an object there holds one in each member. */
  readonly secrets?: readonly string[];
  /** Members that a document need not say: a service keeps its own, or makes one. */
  readonly own?: readonly string[];
  /** Members that only a new record takes: whether a text is what the stored record was made with. */
  readonly madeWith?: Readonly<Record<string, (service: ServiceContext, stored: StoredRecord, text: string) => boolean>>;
  /** Members that a new record cannot do without, beside those of the schema. */
  readonly needs?: (record: Members) => readonly string[];
  /** The schema of a new record, where it is another one than that of a change. */
  readonly newRequest?: LazySchema<unknown>;
  /** The names of the operations, where they are others. */
  readonly verbs?: { readonly create?: (record: Members) => string; readonly update?: string };
  /** Whether a new record takes no id. */
  readonly takesNoId?: true;
  /** Further options of a removal. */
  readonly removal?: (stored: Members) => Members;
  /** Whether the service made a record itself. */
  readonly isBuiltIn?: (stored: StoredRecord, record: Members, service: ServiceContext) => boolean;
  /** Whether a record is never part of an export. */
  readonly isOwn?: (stored: StoredRecord, record: Members) => boolean;
  /** Whether a record is configuration; default: all are. */
  readonly isConfigured?: (record: Members) => boolean;
  /** A record as a document has it, where that is no request. */
  readonly describe?: (record: Members) => Members;
  /** What of a request only follows from other members. */
  readonly derived?: (record: Members) => readonly string[];
}

/** What an example may use. */
interface ExampleContext {
  /** Another one for each record of the family. */
  readonly number: number;
  /** The id at a path of the changes, such as `registration.applicationId`; where they name none, that of a record made for it. */
  readonly idAt: (path: string, family: string) => Promise<string>;
  /** Makes a record of another family and answers its id. */
  readonly make: (family: string) => Promise<string>;
  /** Whether the changes say anything at a path. */
  readonly has: (path: string) => boolean;
  /** Lists the records of a family. */
  readonly list: (family: string) => Promise<readonly Members[]>;
}

/** The input that makes one record of a family in tests (`latchkey/testing`): what the record cannot do without, and nothing else. */
export type FamilyExample<Input extends object = object> = (context: ExampleContext) => Input | Promise<Input>;

/** The events of records that are about to be removed, as they are before. `removedWith`: the table of the record that they go with. */
export type DescribeRemoval = (
  call: WriteCall,
  records: readonly StoredRecord[],
  removedWith?: Table,
) => Promise<readonly NewEvent[]>;

/** How documents write values that only one service knows, such as numbers of versions. */
export interface DocumentForm {
  /** Replaces them in a record by values that every service can look up. */
  readonly write: (call: OperationCall, record: Members) => Promise<Members>;
  /**
   * Replaces those by the values of this service. `stored`: the record that changes.
   * @throws IdentityError 400 for a value that this service does not have.
   */
  readonly read: (call: OperationCall, record: Members, stored: Members | undefined) => Promise<Members>;
  /** The ids of records of the family that must be up to date before a record is read. */
  readonly readsAfter: (record: Members) => readonly string[];
}

/** The rules of a family and what else only its calls need: its module `rules.ts`. A family of records is there under its name. */
export interface FamilyRulesModule {
  readonly operations?: Readonly<Record<string, Operation<unknown, unknown>["run"]>>;
  readonly makeBuiltIn?: BuiltIn["make"];
  readonly documentForm?: DocumentForm;
  /** What the row calls `inProcessCalls`: each makes a function of one caller's calls of the family. */
  readonly inProcessCalls?: Readonly<Record<string, (calls: object, timers: Timers) => (...given: never[]) => Promise<unknown>>>;
  /** By the name of the table. */
  readonly describeRemoved?: Readonly<Record<string, DescribeRemoval>>;
  readonly example?: FamilyExample;
}

/** Which record. */
export type IdInput<Parameter extends string> = { readonly [Name in Parameter]: string };

/** PATCH in process: the document, and how it is read. `append` is the `application/json` flavour. */
export type PatchInput<Parameter extends string> = IdInput<Parameter> & {
  readonly patch: unknown;
  readonly mode?: "append" | "merge" | "json";
};

/** What every search takes beside its own criteria (docs/reference/wire.md#resources). */
export interface PageCriteria {
  /** 0 to 10,000; default 25. */
  readonly numberOfResults?: number;
  /** From 0. */
  readonly startRow?: number;
  /** `field [ASC|DESC], …`. */
  readonly orderBy?: string;
  /** The token that the page before answered. */
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
