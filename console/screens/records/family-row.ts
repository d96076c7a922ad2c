import type { ComponentChildren } from "preact";
import type { Column, Filter, ListPage, ListResult } from "../../kit/data-list/index.js";
import type { Translate } from "../../kit/i18n.js";
import type { FieldControl, FormSection } from "../../kit/record-form/index.js";
import type { Crud } from "./crud.js";

/** What every record has. */
export interface AnyRecord {
  readonly id: string;
}

/** The members of a record as a form sends them: the service checks them. */
export type Content = Readonly<Record<string, unknown>>;

/** A record as its screen has it. */
export interface ShownRecord<Shown> {
  readonly record: Shown;
  readonly etag: string | undefined;
  reload(): void;
}

/** What the form of one type of records has beside that of its family. */
export type TypedForm = Pick<FamilyRow<never>, "controls" | "hide" | "initial" | "layout">;

/** The types of a family whose records differ by their member `type`. */
export interface RecordTypes<Shown> {
  /** In the order of the choice. The area has `type.<name>` and `type.<name>.about`. */
  readonly names: readonly string[];
  readonly formOf: (name: string) => TypedForm;
  /** What stands above a form: where the values come from. */
  readonly above?: (name: string, record: Shown | undefined) => ComponentChildren;
}

/** A family of the API, as its list and its record are shown. */
export interface FamilyRow<Shown extends AnyRecord> {
  /** The name in the typed client. */
  readonly family: string;
  /** Where its list is shown; a record stands below. */
  readonly path: string;
  /** The endpoint of its records, to know what the person may do. */
  readonly endpoint: string;
  /** The area whose messages have `<family>.many`, `.one`, `.about` and `.add`. */
  readonly messages: string;
  /** The name in the API's document: `Webhook`. */
  readonly schema: string;
  /** The member of bodies that holds the record. */
  readonly member: string;
  readonly titleOf: (record: Shown) => string;
  readonly columns: (t: Translate) => readonly Column<Shown>[];
  readonly filters?: (t: Translate) => readonly Filter[];
  readonly list: (page: ListPage) => Promise<ListResult<Shown>>;
  readonly crud: Pick<Crud, "retrieve" | "create"> & Partial<Crud>;
  readonly hide?: readonly string[];
  /** What a stored record does not let anybody change. */
  readonly fixed?: readonly string[];
  readonly initial?: Content;
  /** For records of several types: a new one begins with the choice. */
  readonly types?: RecordTypes<Shown>;
  readonly layout?: (t: Translate) => readonly FormSection[];
  readonly controls?: Readonly<Record<string, FieldControl>>;
  readonly events?: readonly string[];
  /** What stands below the form, of a new record as well: a preview, a try. */
  readonly beside?: (shown: ShownRecord<Shown> | undefined, values: Content) => ComponentChildren;
  /** Other tabs of a stored record. */
  readonly tabs?: (shown: ShownRecord<Shown>, t: Translate) => readonly RecordTab[];
  /** Lists that stand beside this one. */
  readonly siblings?: readonly { readonly label: string; readonly path: string }[];
  /** What goes with a record that is removed. */
  readonly removal?: (record: Shown, t: Translate) => string;
  /** Whether a record is one that nobody changes or removes. */
  readonly isBuiltIn?: (record: Shown) => boolean;
  /** Whether records say who uses them when they are to be removed. */
  readonly hasUsers?: boolean;
}

/** A tab of a record beside its settings. */
export interface RecordTab {
  readonly id: string;
  readonly label: string;
  render(): ComponentChildren;
}

/** A row as lists and screens of any family take it. */
export function defineFamilyRow<Shown extends AnyRecord>(row: FamilyRow<Shown>): FamilyRow<Shown> {
  return row;
}
