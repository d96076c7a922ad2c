import type { ComponentChildren } from "preact";
import type { Column, Filter, ListPage, ListResult } from "../../kit/data-list/index.js";
import type { Translate } from "../../kit/i18n.js";
import type { FieldControl, FormSection } from "../../kit/record-form/index.js";
import type { Crud } from "./crud.js";

/** The members that every record has. */
export interface AnyRecord {
  readonly id: string;
}

/** The members of a record as a form sends them. The service validates them. */
export type Content = Readonly<Record<string, unknown>>;

/** A loaded record, as its screen receives it. */
export interface ShownRecord<Shown> {
  readonly record: Shown;
  readonly etag: string | undefined;
  reload(): void;
}

/** The form settings of one record type, in addition to those of its family. */
export type TypedForm = Pick<FamilyRow<never>, "controls" | "hide" | "initial" | "layout">;

/** The types of a family whose records differ by their member `type`. */
export interface RecordTypes<Shown> {
  /** In display order. The area needs the messages `type.<name>` and `type.<name>.about`. */
  readonly names: readonly string[];
  readonly formOf: (name: string) => TypedForm;
  /** Content above the form that explains the source of the values. */
  readonly above?: (name: string, record: Shown | undefined) => ComponentChildren;
}

/** A family of the API, with the settings of its list and its record screens. */
export interface FamilyRow<Shown extends AnyRecord> {
  /** The name in the typed client. */
  readonly family: string;
  /** The path of the list; records are below it. */
  readonly path: string;
  /** The endpoint of the records, to check the permissions of the person. */
  readonly endpoint: string;
  /** The area whose messages have `<family>.many`, `.one`, `.about` and `.add`. */
  readonly messages: string;
  /** The schema name in the OpenAPI document, such as `Webhook`. */
  readonly schema: string;
  /** The member of request and response bodies that holds the record. */
  readonly member: string;
  readonly titleOf: (record: Shown) => string;
  readonly columns: (t: Translate) => readonly Column<Shown>[];
  readonly filters?: (t: Translate) => readonly Filter[];
  readonly list: (page: ListPage) => Promise<ListResult<Shown>>;
  readonly crud: Pick<Crud, "retrieve" | "create"> & Partial<Crud>;
  readonly hide?: readonly string[];
  /** The members that cannot change after creation. */
  readonly fixed?: readonly string[];
  readonly initial?: Content;
  /** For families with several record types: creation begins with the choice of a type. */
  readonly types?: RecordTypes<Shown>;
  readonly layout?: (t: Translate) => readonly FormSection[];
  readonly controls?: Readonly<Record<string, FieldControl>>;
  readonly events?: readonly string[];
  /** Content below the form, also for new records, such as a preview or a test. */
  readonly beside?: (shown: ShownRecord<Shown> | undefined, values: Content) => ComponentChildren;
  /** Further tabs of a stored record. */
  readonly tabs?: (shown: ShownRecord<Shown>, t: Translate) => readonly RecordTab[];
  /** Related lists, as links next to this one. */
  readonly siblings?: readonly { readonly label: string; readonly path: string }[];
  /** Describes the data that a removal deletes along with the record. */
  readonly removal?: (record: Shown, t: Translate) => string;
  /** Whether a record is built in: the API refuses to change or remove it. */
  readonly isBuiltIn?: (record: Shown) => boolean;
  /** Whether a dry run of a removal reports the records that refer to this one. */
  readonly hasUsers?: boolean;
}

/** A tab of a record, in addition to its settings. */
export interface RecordTab {
  readonly id: string;
  readonly label: string;
  render(): ComponentChildren;
}

/** Infers the record type of a row, so that lists and screens of any family accept it. */
export function defineFamilyRow<Shown extends AnyRecord>(row: FamilyRow<Shown>): FamilyRow<Shown> {
  return row;
}
