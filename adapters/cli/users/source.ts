import { createHash } from "node:crypto";
import { isObject } from "../../internal/objects.js";

/** A row of a file: an object. */
export type Row = Readonly<Record<string, unknown>>;

/** A user of another system in the form of an import, without the members that are the same for all rows. */
export interface MovedUser {
  /** The id in the other system. Default: the email or username. */
  readonly id?: string | undefined;
  /** Fields of the user, without undefined ones. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Names of roles and groups in the other system. */
  readonly roles?: readonly string[] | undefined;
  /** Data that is lost in the import. */
  readonly losses?: readonly string[] | undefined;
}

/** Settings from the command line for all rows of a file. */
export interface MapOptions {
  /** Hashes by the id or the email of the user, from a separate file. */
  readonly passwords: ReadonlyMap<string, string>;
  /** The hash parameters of a Firebase project, as the start of a hash's text; undefined without parameters. */
  readonly firebase: string | undefined;
  /** Member names by column name. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Converts the rows of a system to users. */
export interface Source {
  /** The path of the users in a file with one JSON object. */
  readonly path?: string;
  /** Returns the user of a row; undefined for other rows. */
  readonly map: (row: Row, options: MapOptions) => MovedUser | undefined;
}

/** A non-empty text, trimmed. Numbers become texts. */
export function toText(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}

/** Parses a boolean or its text in databases; undefined for any other value. */
export function toFlag(value: unknown): boolean | undefined {
  const text = String(value ?? "").toLowerCase();
  if (["true", "t", "1", "yes"].includes(text)) return true;
  return ["false", "f", "0", "no"].includes(text) ? false : undefined;
}

/** The largest number that is an instant in seconds: as milliseconds it is in March 1973, as seconds in the year 5138. */
const largestSeconds = 100_000_000_000;

/** Parses an instant, returned in milliseconds, from a number of seconds or milliseconds, its text or a date; undefined for any other value. */
export function toInstant(value: unknown): number | undefined {
  const given = isObject(value) ? value.$date : value;
  const text = toText(given);
  if (text === undefined) return undefined;
  const instant = /^\d+(\.\d+)?$/.test(text) ? toMilliseconds(Number(text)) : Date.parse(text);
  return Number.isSafeInteger(Math.round(instant)) ? Math.round(instant) : undefined;
}

function toMilliseconds(number: number): number {
  return number < largestSeconds ? number * 1_000 : number;
}

/** Returns an object, also from its JSON text; else an empty object. */
export function toObject(value: unknown): Row {
  if (isObject(value)) return value;
  if (typeof value !== "string" || !value.trimStart().startsWith("{")) return {};
  try {
    return toObject(JSON.parse(value));
  } catch {
    return {};
  }
}

/** The objects of a list. */
export function toRows(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the second-factor method of a Base32 key; undefined for an invalid key. */
export function toFactor(base32: unknown): Row | undefined {
  const text =
    toText(base32)
      ?.toUpperCase()
      .replace(/[\s=-]/g, "") ?? "";
  const bits = Array.from(text, (letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter));
  if (text.length < 16 || bits.includes(-1)) return undefined;
  const binary = bits.map((value) => value.toString(2).padStart(5, "0")).join("");
  const bytes = Uint8Array.from(binary.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  return { method: "authenticator", secretBase64Encoded: Buffer.from(bytes).toString("base64") };
}

/** The texts of a list. */
export function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(toText).filter((text) => text !== undefined) : [];
}

// The namespace of derived ids, a random constant.
const space = Buffer.from("5f6f3a0b6c4e4a7e9b0d8f2c1a7e6d35", "hex");

/** Returns a stable UUID: the id itself if it is one, else derived from the system's name and the id (version 5 of RFC 9562). */
export function toUuid(system: string, id: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return id.toLowerCase();
  const bytes = createHash("sha1").update(space).update(`${system}:${id}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
