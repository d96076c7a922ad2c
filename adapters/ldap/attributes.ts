import { isUtf8 } from "node:buffer";
import type { Entry } from "ldapts";

/** Binary attributes, even where the bytes are valid text. */
const binary: ReadonlySet<string> = new Set(["objectguid", "objectsid", "jpegphoto", "thumbnailphoto", "usercertificate"]);

/** The name that requests an entry's distinguished name, beside its attributes. */
const nameOfEntry = "dn";

/** The attributes to request from a server, without `dn`: each entry has its distinguished name, which is no attribute. */
export function toWireAttributes(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name.toLowerCase() !== nameOfEntry);
}

/** The attributes of an entry, named as in the request: one text or several, bytes in base64. `dn` is the distinguished name. */
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
