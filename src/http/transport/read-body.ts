import { fieldError, generalError } from "../../errors/identity-error.js";
import type { ApiRequest } from "../../ports/transport.js";
import {
  type BulkPath,
  findUnsafeInSteps,
  findUnsafeValue,
  maxItems,
  maxJsonDepth,
  maxValues,
  SizeLimits,
  type UnsafeValue,
} from "../../shared/find-unsafe-value.js";
import { hasManyItems } from "../../shared/in-steps.js";
import { formatPath } from "../../shared/text.js";
import { assertExactIntegers } from "./exact-integers.js";
import type { BodyLimits } from "./read-bytes.js";
import { readRawBody } from "./read-text.js";

/** The kinds of bodies, by media type. */
export type BodyKind = "json" | "jsonPatch" | "mergePatch" | "form";

/** A body of a kind and its JSON value. A form is an object of texts, with an array for a repeated name. */
interface ParsedBody {
  readonly kind: BodyKind;
  readonly value: unknown;
}

const bodyKinds: Readonly<Record<string, BodyKind>> = {
  "application/json": "json",
  "application/json-patch+json": "jsonPatch",
  "application/merge-patch+json": "mergePatch",
  "application/x-www-form-urlencoded": "form",
};

/**
 * Reads the body of a request (docs/reference/wire.md#bodies, docs/reference/wire.md#text-and-encodings). Undefined when there is
 * none. `allowed` are the media types of the route.
 * @throws IdentityError 400, 408, 413 or 415; bytes beyond the limit are discarded.
 */
export async function readBody(
  request: ApiRequest,
  allowed: ReadonlySet<BodyKind>,
  limits: BodyLimits,
): Promise<ParsedBody | undefined> {
  const body = await readRawBody(request, limits);
  if (body === undefined) return undefined;
  const kind = parseContentType(request, allowed);
  // The host's own parser has already parsed this JSON: only its content is left to check.
  if (body.kind === "parsed") return { kind, value: body.value };
  if (kind === "form") return { kind, value: parseForm(body.text) };
  const value = parseJson(body.text);
  assertExactIntegers(body.text, value);
  return { kind, value };
}

interface JsonBody {
  /** Media types, in lower case. */
  readonly types: readonly string[];
  readonly limits: BodyLimits;
  readonly bulkLists: readonly BulkPath[];
}

/**
 * The JSON value of a body with one of these media types; undefined when there is none. @throws IdentityError as {@link readBody}
 * and {@link checkBody}.
 */
export async function readJsonBody(request: ApiRequest, { bulkLists, limits, types }: JsonBody): Promise<unknown> {
  if (request.body === undefined) return undefined;
  if (!types.includes(readMediaType(request))) throw generalError("UnsupportedContentType");
  const headers = { ...request.headers, "content-type": "application/json" };
  const value = (await readBody({ ...request, headers }, onlyJson, limits))?.value;
  await checkAnyBody(limits, value, bulkLists);
  return value;
}

const onlyJson: ReadonlySet<BodyKind> = new Set(["json"]);

const maxFields = 1_000;

function parseForm(text: string): unknown {
  const fields: Record<string, string | string[]> = Object.create(null);
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > maxFields) throw generalError("tooMany", `A form holds at most ${maxFields} fields.`);
    const known = fields[name];
    fields[name] = known === undefined ? value : [known, value].flat();
  }
  return fields;
}

function parseContentType(request: ApiRequest, allowed: ReadonlySet<BodyKind>): BodyKind {
  if (request.headers["content-type"] === "application/json" && allowed.has("json")) return "json";
  const type = readMediaType(request);
  const kind = Object.hasOwn(bodyKinds, type) ? bodyKinds[type] : undefined;
  if (kind === undefined || !allowed.has(kind)) throw generalError("UnsupportedContentType");
  return kind;
}

/** The media type of a body, in lower case. @throws IdentityError 400 where it is missing, 415 for another charset than UTF-8. */
export function readMediaType(request: ApiRequest): string {
  const header = request.headers["content-type"];
  if (typeof header !== "string" || header === "") throw generalError("MissingContentType");
  const match = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;\s*(.*))?$/.exec(header);
  if (match === null) throw generalError("InvalidContentType");
  refuseCharset(match[2]);
  return (match[1] ?? "").toLowerCase();
}

function refuseCharset(parameters: string | undefined): void {
  const charset = parameters === undefined ? undefined : /(?:^|;)\s*charset\s*=\s*"?([^";\s]*)/i.exec(parameters)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw generalError("UnsupportedContentType", "Only the charset UTF-8 is supported.");
}

/**
 * Parses JSON text.
 * @throws IdentityError 400 `[invalidJSON]` with line and column, without any of the text.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = locate(text, findJsonError(text));
    throw generalError("invalidJSON", `The body is not valid JSON: line ${line}, column ${column}.`);
  }
}

function locate(text: string, position: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, position);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: position - lineStart + 1 };
}

const spaces = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not hold them.
const strings = /[^"\\\u0000-\u001f]*/y;
const escapes = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalars = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

type Expected = "value" | "firstValue" | "name" | "firstName" | "end";

/**
 * The position of the first error in a text that is not JSON; its length when it only ends too early. Engines report positions
 * only for some errors, each in its own wording.
 */
export function findJsonError(text: string): number {
  return new JsonScanner(text).run();
}

// Each step advances over valid text and returns whether there was any.
class JsonScanner {
  readonly #text: string;
  readonly #open: ("]" | "}")[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): number {
    let expected: Expected | undefined = "value";
    while (expected !== undefined) {
      this.#skip(spaces);
      expected = this.#step(expected);
    }
    return this.#at;
  }

  /** The tokens that JSON allows after the next one; undefined when the next one is invalid. */
  #step(expected: Expected): Expected | undefined {
    const isFirst = expected === "firstValue" || expected === "firstName";
    if ((isFirst || expected === "end") && this.#takeClosing()) return "end";
    if (expected === "end") return this.#open.length > 0 && this.#take(",") ? this.#nextMember() : undefined;
    if (expected === "name" || expected === "firstName") return this.#takeString() && this.#takeColon() ? "value" : undefined;
    if (this.#take("{")) return this.#enter("}", "firstName");
    if (this.#take("[")) return this.#enter("]", "firstValue");
    return this.#takeString() || this.#skip(scalars) ? "end" : undefined;
  }

  #nextMember(): Expected {
    return this.#open.at(-1) === "}" ? "name" : "value";
  }

  #enter(closing: "]" | "}", expected: Expected): Expected {
    this.#open.push(closing);
    return expected;
  }

  #takeClosing(): boolean {
    const closing = this.#open.at(-1);
    if (closing === undefined || !this.#take(closing)) return false;
    this.#open.pop();
    return true;
  }

  #takeColon(): boolean {
    this.#skip(spaces);
    return this.#take(":");
  }

  #takeString(): boolean {
    if (!this.#take('"')) return false;
    do this.#skip(strings);
    while (this.#skip(escapes));
    return this.#take('"');
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}

/**
 * Refuses values that later steps should not have to handle: deep nesting, oversized lists and maps, `__proto__`, texts that some
 * storage cannot store. `bulk` names the lists that only the limit in bytes bounds.
 * @throws IdentityError 400 (docs/reference/wire.md#bodies, docs/reference/wire.md#text-and-encodings,
 * docs/reference/wire.md#sizes, docs/reference/patch.md#hostile-documents).
 */
export function checkBody(value: unknown, bulk?: readonly BulkPath[]): void {
  refuse(findUnsafeValue(value, new SizeLimits(bulk)));
}

/** The same; a promise for a very long body, which is checked in steps. */
export function checkAnyBody(
  { timers }: Pick<BodyLimits, "timers">,
  value: unknown,
  bulk?: readonly BulkPath[],
): Promise<void> | undefined {
  if (value === undefined) return undefined;
  // Without bulk lists, the limits bound the check.
  if (bulk !== undefined && hasManyItems(value)) return findUnsafeInSteps({ timers }, value, new SizeLimits(bulk)).then(refuse);
  checkBody(value, bulk);
  return undefined;
}

const sizeLimits = `a list or map at most ${maxItems} items, a body at most ${maxValues} values`;

function refuse(unsafe: UnsafeValue | undefined): void {
  if (unsafe === undefined) return;
  if (unsafe.kind === "tooDeep") throw generalError("invalidJSON", `The body nests deeper than ${maxJsonDepth} levels.`);
  const path = formatPath(unsafe.path);
  if (unsafe.kind !== "tooMany") throw fieldError("invalid", path);
  if (path === "") throw generalError("tooMany", `The body holds too many items: ${sizeLimits}.`);
  throw fieldError("tooMany", path, `The [${path}] property holds too many items: ${sizeLimits}.`);
}
