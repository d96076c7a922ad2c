import type { ComponentChildren } from "preact";
import type { Result } from "../../app/api.js";
import type { FormField } from "./schema.js";

/** Options of a save, for the call of the typed client. */
export interface SaveOptions {
  readonly ifMatch: string | undefined;
  readonly dryRun: true | undefined;
  readonly auditReason: string | undefined;
}

/** Members that stand together. */
export interface FormSection {
  /** Already in the language of the page. */
  readonly title: string;
  /** Paths of members; a path of a group has all its members. */
  readonly fields: readonly string[];
}

/** A refusal of a part of a member. */
export interface PartError {
  /** Where it is below the member: `[0].version`, `.percent`; empty for the member itself. */
  readonly path: string;
  readonly message: string;
}

/** What a control of a member gets. */
export interface ControlProps {
  readonly field: FormField;
  readonly label: string;
  readonly hint: string | undefined;
  /** All that is wrong with the member and its parts, as one text. */
  readonly error: string | undefined;
  /** The same by part, for controls that show each where it belongs. */
  readonly errors: readonly PartError[];
  readonly value: unknown;
  onChange(value: unknown): void;
}

/** A control of a screen in place of the kit's. */
export type FieldControl = (props: ControlProps) => ComponentChildren;

/** What a form of a record needs. */
export interface RecordFormProps {
  /** The name in the API's document: `Webhook` reads `WebhookPatch` and `WebhookRequest`. */
  readonly schema: string;
  /** The member of the body that the record stands in. Default: the name with a small first letter. */
  readonly member?: string;
  /** The record as it is stored; undefined to create one. */
  readonly record?: object | undefined;
  /** What a new record begins with. */
  readonly initial?: Readonly<Record<string, unknown>>;
  readonly etag?: string | undefined;
  /** Sections by hand; members that none names stand in one at the end, so that new ones appear by themselves. */
  readonly layout?: readonly FormSection[];
  /** Paths of members that are not shown. */
  readonly hide?: readonly string[];
  /** The path of the only group whose members are shown, such as `oauthConfiguration`. */
  readonly only?: string;
  /** Controls of the screen by path. */
  readonly controls?: Readonly<Record<string, FieldControl>>;
  /** The area whose messages may have `field.<path>` for labels, and `hint.<path>`. */
  readonly messages?: string;
  /** The type of the record, where the area has texts of its own for it: `field.<variant>.<path>` and `hint.<variant>.<path>` win. */
  readonly variant?: string;
  /** Gets what the form holds, now and after each change: for previews beside it. */
  watch?(values: Readonly<Record<string, unknown>>): void;
  /** The draft's name: one for each record. */
  readonly draft: string;
  /** The events that a change publishes, by name: shown in the preview. */
  readonly events?: readonly string[];
  /** Says who is affected: shown in the preview. */
  readonly affected?: (patch: Readonly<Record<string, unknown>>) => Promise<ComponentChildren>;
  /** Stores: `content` is a JSON Merge Patch of what changed (call `patch` with mode `merge`), or the new record. Called with `dryRun` for previews. */
  onSave(content: Readonly<Record<string, unknown>>, options: SaveOptions): Promise<Result<unknown>>;
  /** After a save, with what the service answered. */
  onSaved?(value: unknown): void;
  /** Reads the record anew, after somebody else changed it. */
  onReload?(): Promise<{ readonly record: object; readonly etag: string | undefined }>;
}
