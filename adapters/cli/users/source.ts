import { createHash } from "node:crypto";
import { isObject } from "../../internal/objects.js";

/** A row of a file: an object. */
export type Row = Readonly<Record<string, unknown>>;

/** A user of another system, as an import takes it, but for what is the same for all rows. */
export interface MovedUser {
  /** The id in the other system. Default: the email or username. */
  readonly id?: string | undefined;
  /** Fields of the user; those that are undefined are left out. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Names of roles and groups in the other system. */
  readonly roles?: readonly string[] | undefined;
  /** What does not come along. */
  readonly losses?: readonly string[] | undefined;
}

/** What the command line says about all rows of a file. */
export interface MapOptions {
  /** Texts of hashes by the id or the email of the user, from a file of their own. */
  readonly passwords: ReadonlyMap<string, string>;
  /** The parameters of all hashes of a Firebase project, as the beginning of a hash's text; undefined where none were given. */
  readonly firebase: string | undefined;
  /** Names of members by the names of columns. */
  readonly columns: Readonly<Record<string, string>>;
}

/** How the rows of a system become users. */
export interface Source {
  /** Where the users are in a file that is one JSON object. */
  readonly path?: string;
  /** The user of a row; undefined where the row is none. */
  readonly map: (row: Row, options: MapOptions) => MovedUser | undefined;
}

/** A text that is not empty. Numbers become texts. */
export function toText(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}

/** Whether a value, or its text as databases write it, is true; undefined for no such value. */
export function toFlag(value: unknown): boolean | undefined {
  const text = String(value ?? "").toLowerCase();
  if (["true", "t", "1", "yes"].includes(text)) return true;
  return ["false", "f", "0", "no"].includes(text) ? false : undefined;
}

/** An instant in milliseconds of a number, its text or a date; undefined for no instant. */
export function toInstant(value: unknown): number | undefined {
  const given = isObject(value) ? value.$date : value;
  const text = toText(given);
  if (text === undefined) return undefined;
  const instant = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isSafeInteger(Math.round(instant)) ? Math.round(instant) : undefined;
}

/** A member that is an object; its JSON text counts. Else empty. */
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

/** The method of a second factor whose key is a text in Base32; undefined for no such text. */
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

// The space of our own ids, made once at random.
const space = Buffer.from("5f6f3a0b6c4e4a7e9b0d8f2c1a7e6d35", "hex");

/** A UUID that stays: of the id itself where that is one, else made of the system's name and the id (version 5 of RFC 9562). */
export function toUuid(system: string, id: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return id.toLowerCase();
  const bytes = createHash("sha1").update(space).update(`${system}:${id}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
