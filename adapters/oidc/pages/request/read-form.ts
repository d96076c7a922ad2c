import { type ApiRequest, IdentityError } from "latchkey";
import { isObject } from "../../../internal/objects.js";

/** The fields of a form. */
export class FormFields {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(pairs: Iterable<readonly [string, string]>) {
    const values = new Map<string, string[]>();
    for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
    this.#values = values;
  }

  /** The first value of a field; empty where there is none. */
  text(name: string): string {
    return this.#values.get(name)?.[0] ?? "";
  }

  /** All values of a field. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Whether a box was ticked, or a button chosen. */
  has(name: string): boolean {
    return this.text(name) !== "";
  }

  /** The names of all fields. */
  get names(): readonly string[] {
    return [...this.#values.keys()];
  }
}

/** Forms of people are short. */
const maxBytes = 262_144;

const maxFields = 2_000;

/** Reads the form that a browser sent, also where the host's parser did before. @throws IdentityError 400, 413, 415. */
export async function readForm(request: ApiRequest): Promise<FormFields> {
  const { body } = request;
  if (body === undefined) return new FormFields([]);
  if (body.kind === "parsed") return new FormFields(toPairs(body.value));
  const [type = ""] = String(request.headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") throw refusal(415, "[UnsupportedContentType]");
  const bytes = body.kind === "stream" ? await readAll(body.stream) : body.kind === "bytes" ? body.bytes : Buffer.from(body.text);
  if (bytes.length > maxBytes) throw refusal(413, "[tooLarge]");
  const pairs = [...new URLSearchParams(decode(bytes))];
  if (pairs.length > maxFields) throw refusal(400, "[tooMany]");
  return new FormFields(pairs);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refusal(400, "[invalid]");
  }
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > maxBytes) throw refusal(413, "[tooLarge]");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

// What parsers of hosts make of a field that came twice is a list.
function toPairs(value: unknown): readonly (readonly [string, string])[] {
  if (!isObject(value)) return [];
  return Object.entries(value)
    .slice(0, maxFields)
    .flatMap(([name, member]) => [member].flat().map((one) => [name, typeof one === "string" ? one : ""] as const));
}

function refusal(status: number, code: string): IdentityError {
  return new IdentityError(status, { generalErrors: [{ code, message: "The form cannot be read." }] });
}
