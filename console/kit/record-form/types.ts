import type { ComponentChildren } from "preact";
import type { Result } from "../../app/api.js";
import type { FormField } from "./schema.js";

/** Options of a save, for the call of the typed client. */
export interface SaveOptions {
  readonly ifMatch: string | undefined;
  readonly dryRun: true | undefined;
  readonly auditReason: string | undefined;
}

/** Members under one heading. */
export interface FormSection {
  /** Already translated into the language of the page. */
  readonly title: string;
  /** Paths of members. The path of a group includes all its members. */
  readonly fields: readonly string[];
}

/** A validation error in a part of a member. */
export interface PartError {
  /** The path below the member, such as `[0].version` or `.percent`; empty for the member itself. */
  readonly path: string;
  readonly message: string;
}

/** Props of a member's control. */
export interface ControlProps {
  readonly field: FormField;
  readonly label: string;
  readonly hint: string | undefined;
  /** All errors of the member and its parts, as one text. */
  readonly error: string | undefined;
  /** The same errors by part, for controls that show each in its place. */
  readonly errors: readonly PartError[];
  readonly value: unknown;
  onChange(value: unknown): void;
}

/** A control of a screen that replaces the kit's. */
export type FieldControl = (props: ControlProps) => ComponentChildren;

/** Props of a record's form. */
export interface RecordFormProps {
  /** The schema name in the OpenAPI document: `Webhook` reads `WebhookPatch` and `WebhookRequest`. */
  readonly schema: string;
  /** The member of the body that contains the record. Default: `schema` with a lower-case first letter. */
  readonly member?: string;
  /** The stored record; undefined to create one. */
  readonly record?: object | undefined;
  /** Initial values of a new record. */
  readonly initial?: Readonly<Record<string, unknown>>;
  readonly etag?: string | undefined;
  /** The sections of the form. Members outside of them appear in a last section, so new members of the API show up by themselves. */
  readonly layout?: readonly FormSection[];
  /** Paths of hidden members. */
  readonly hide?: readonly string[];
  /** The path of a group, such as `oauthConfiguration`: the form shows only its members. */
  readonly only?: string;
  /** Custom controls by path. */
  readonly controls?: Readonly<Record<string, FieldControl>>;
  /** The area with optional messages `field.<path>` for labels and `hint.<path>` for hints. */
  readonly messages?: string;
  /** The type of the record. Messages `field.<variant>.<path>` and `hint.<variant>.<path>` take precedence over those without it. */
  readonly variant?: string;
  /** Called with the values of the form, at first and after each change, for previews beside it. */
  watch?(values: Readonly<Record<string, unknown>>): void;
  /** The key of the draft, unique for each record. */
  readonly draft: string;
  /** The names of the events that a change publishes. The preview shows them. */
  readonly events?: readonly string[];
  /** Describes the affected records or people. The preview shows the result. */
  readonly affected?: (patch: Readonly<Record<string, unknown>>) => Promise<ComponentChildren>;
  /**
   * Saves. `content` is the new record, or a JSON Merge Patch of the changes (call `patch` with mode `merge`).
   * Previews call this with `dryRun`.
   */
  onSave(content: Readonly<Record<string, unknown>>, options: SaveOptions): Promise<Result<unknown>>;
  /** Called after a save, with the response of the service. */
  onSaved?(value: unknown): void;
  /** Loads the current record, after another person changed it. */
  onReload?(): Promise<{ readonly record: object; readonly etag: string | undefined }>;
}
