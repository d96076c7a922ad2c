import { isUtf8 } from "node:buffer";
import type { Entry } from "ldapts";

/** Attributes whose values are bytes, even where they look like a text. */
const binary: ReadonlySet<string> = new Set(["objectguid", "objectsid", "jpegphoto", "thumbnailphoto", "usercertificate"]);

/** The name by which the distinguished name of an entry is requested, beside its attributes. */
const nameOfEntry = "dn";

/** The attributes that a server is asked for: the distinguished name comes with each entry, and is an attribute of none. */
export function toWireAttributes(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name.toLowerCase() !== nameOfEntry);
}

/**
 * The attributes of an entry: as texts, one or several, and bytes in base64; `dn` is its distinguished name. They have the names with which they
 * were requested.
 */
export function toAttributes(entry: Entry, names: readonly string[]): Readonly<Record<string, string | readonly string[]>> {
  const spelled = new Map(names.map((name) => [name.toLowerCase(), name]));
  const shown = Object.entries(entry).flatMap(([type, given]) => {
    const name = spelled.get(type.toLowerCase());
    const values = [given].flat().map((value) => toText(type, value));
    return name === undefined || values.length === 0 ? [] : [[name, values.length === 1 ? values[0] : values] as const];
  });
  return Object.fromEntries(shown) as Readonly<Record<string, string | readonly string[]>>;
}

function toText(type: string, value: Buffer | string): string {
  const [name = "", ...options] = type.toLowerCase().split(";");
  const isBinary = binary.has(name) || options.includes("binary");
  const bytes = Buffer.from(value);
  return isBinary || !isUtf8(bytes) ? bytes.toString("base64") : bytes.toString("utf8");
}
