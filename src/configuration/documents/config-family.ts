import type { LazySchema } from "../../http/schema/parse-with.js";
import type { WriteCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { StoredRecord, Table } from "../../ports/storage.js";
import type { ConfigFamilyName } from "./document.js";
import type { Members } from "./members.js";

/** What configuration needs to know of a family of records. */
export interface ConfiguredFamily {
  readonly name: string;
  readonly wrapper: string;
  readonly idParameter: string;
  readonly table: Table;
  readonly request: LazySchema<unknown>;
  readonly sealedPaths?: readonly string[];
  readonly namedMembers?: readonly ("moderation" | "broker" | "sms" | "service")[];
  readonly rules: {
    readonly toRequestDocument?: (call: WriteCall, stored: StoredRecord, record: never) => Promise<Members>;
  };
}

/** How the records of a family stand in a document. Paths are dotted, from the record, with `[]` for each element of a list. */
export interface ConfigFamily {
  readonly name: ConfigFamilyName;
  readonly family: ConfiguredFamily;
  /** Identifies a record among others: a path that is a reference stands for the key of its target. */
  readonly key: readonly string[];
  /** The families that ids lead to. */
  readonly references: Readonly<Record<string, ConfigFamilyName>>;
  /** References whose order says nothing. */
  readonly sets?: readonly string[];
  /** Members of the request that stand beside the wrapper. */
  readonly beside?: readonly string[];
  /** The parameter that names what a record belongs to; records hide its value. */
  readonly address?: string;
  /** The family whose records hold these, and the member that they do so in. */
  readonly nested?: { readonly in: ConfigFamilyName; readonly as: string };
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
