import { isObjectOrList } from "../shared/is-object.js";
/** A string and how to get to it from the top of a document. */
export interface TextAt {
  readonly path: readonly string[];
  readonly text: string;
}

const whole = (): undefined => undefined;
const ofField = ([, path]: readonly string[]): string | undefined => path;

/** The name of a table that keeps sealed texts. */
export type SealedTable =
  | "apiKeys"
  | "entities"
  | "installations"
  | "integrations"
  | "keys"
  | "mails"
  | "textMessages"
  | "users"
  | "webhooks";

/**
 * Every table that keeps sealed texts, and the part of a record that a text is sealed as, by its path in what the record hides. A text is
 * sealed for its place and opens nowhere else, so nothing can be sealed that a rotation of secrets would not find.
 */
export const partsByTable: Readonly<Record<SealedTable, (path: readonly string[]) => string | undefined>> = {
  apiKeys: whole,
  entities: ofField,
  installations: whole,
  integrations: ofField,
  keys: ([member]) => member,
  mails: whole,
  textMessages: whole,
  users: ([, member]) => (member === "recoveryCodes" ? member : "twoFactor"),
  webhooks: ofField,
};

/** Where a text is sealed for: a record, or a part of one. Made by `sealedLocationOf` alone. */
export type SealedLocation = string & { readonly isSealedPlace: true };

/** The place of a record of a table, or of a part of one. @throws Error for a table that no rotation would look into. */
export function sealedLocationOf(table: string, id: string, part?: string): SealedLocation {
  if (!Object.hasOwn(partsByTable, table)) throw new Error(`Nothing is sealed in ${table}.`);
  return [table, id, ...(part === undefined ? [] : [part])].join("/") as SealedLocation;
}

/** The strings in a document that look sealed. */
export function findSealed(document: unknown, path: readonly string[] = []): readonly TextAt[] {
  if (typeof document === "string") return keyIdOf(document) === undefined ? [] : [{ path, text: document }];
  if (!isObjectOrList(document)) return [];
  return Object.entries(document).flatMap(([name, value]) => findSealed(value, [...path, name]));
}

/** The id of the key that a text is sealed with; undefined for a text that is not sealed. */
export function keyIdOf(text: string): string | undefined {
  return /^v1\.([\w-]{8})\.[\w-]{16}\.[\w-]{22,}$/.exec(text)?.[1];
}
