import { isObjectOrList } from "../shared/is-object.js";

/** A string and how to get to it from the top of a document. */
export interface TextAt {
  readonly path: readonly string[];
  readonly text: string;
}

/** The part of a record that a sealed text belongs to, by the text's path in what the record hides; undefined: the record as a whole. */
export type SealedPart = (path: readonly string[]) => string | undefined;

/** For tables whose records hide one sealed text. */
export const sealedRecord: SealedPart = () => undefined;

/** For families with `sealedPaths`: a text belongs to the field that it is stored for. */
export const sealedField: SealedPart = ([, path]) => path;

/**
 * Every table that keeps sealed texts. A text is sealed for its place and opens nowhere else; a sealer seals for these tables only, so
 * nothing can be sealed that a rotation of secrets would not find.
 */
export type SealedTables = Readonly<Record<string, SealedPart>>;

/** Where a text is sealed for: a record, or a part of one. Made by `sealedLocationOf` alone. */
export type SealedLocation = string & { readonly isSealedPlace: true };

/** The place of a record of a table, or of a part of one. */
export function sealedLocationOf(table: string, id: string, part?: string): SealedLocation {
  return [table, id, ...(part === undefined ? [] : [part])].join("/") as SealedLocation;
}

/** The name of the table that a place is in. */
export function tableOf(place: SealedLocation): string {
  return place.slice(0, place.indexOf("/"));
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
