import { invalidInput } from "./result.js";
import type { ClientCallOptions } from "./types.js";

/** One request, without the credential. */
export interface ClientRequest {
  readonly method: string;
  /** Path and query, below the base URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether a retry is safe after an unknown outcome. */
  readonly isRepeatable: boolean;
  /** Whether the request is never retried, regardless of the response. */
  readonly isOnce: boolean;
  /** Whether the response is text instead of JSON. */
  readonly answersText: boolean;
}

/** The options of a call, and the header of its tenant. */
interface RequestOptions extends ClientCallOptions {
  readonly tenantHeader: string;
}

type Input = Readonly<Record<string, unknown>>;

/** A row of the table: its method, its paths with the longest first, the members for the query, and its marks. */
interface Row {
  readonly method: string;
  readonly paths: readonly string[];
  /** The path of the call. */
  readonly path: string;
  readonly parameters: ReadonlySet<string>;
  readonly marks: ReadonlySet<string>;
}

function parseRow(text: string, input: Input): Row {
  const [method = "", ...words] = text.split(" ");
  const paths = words.filter((word) => word.startsWith("/"));
  const query = words.filter((word) => word.startsWith("?")).map((word) => word.slice(1));
  return {
    method,
    paths,
    path: choosePath(paths, input),
    parameters: new Set([...query, ...paths.flatMap(namesIn)]),
    marks: new Set(words),
  };
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns the request of a call. @throws ClientError for invalid input, with the code that the service would return. */
export function toRequest(text: string, input: object, options: RequestOptions): ClientRequest {
  const values = input as Input;
  const row = parseRow(text, values);
  const body = row.method === "GET" ? {} : bodyOf(row, values);
  const { contentType, content } = toContent(row, body);
  const sent = serialise(content, contentType);
  return {
    method: row.method,
    url: fill(row.path, values) + toQuery(row, values, options.dryRun === true),
    headers: { ...(sent !== undefined && { "content-type": contentType }), ...toHeaders(options) },
    body: sent,
    isRepeatable: isRepeatable(row, body.mode, options),
    isOnce: row.marks.has("once"),
    answersText: row.marks.has("text"),
  };
}

function choosePath(paths: readonly string[], input: Input): string {
  const path = paths.find((one) => namesIn(one).every((name) => isGiven(input[name])));
  if (path !== undefined) return path;
  const missing = namesIn(paths.at(-1) ?? "").find((name) => !isGiven(input[name]));
  throw invalidInput("missing", missing ?? "");
}

// A path segment other than an id would lead elsewhere: to the parent, to a list, to another endpoint.
function fill(path: string, input: Input): string {
  return path.replace(/:(\w+)/g, (_text, name: string) => {
    const value = String(input[name]);
    if (value === "") throw invalidInput("missing", name);
    if (!/^[\w-]+$/.test(value) || /^[a-z-]{1,25}$/i.test(value)) throw invalidInput("couldNotConvert", name);
    return value;
  });
}

function toQuery(row: Row, input: Input, isDryRun: boolean): string {
  const used = namesIn(row.path);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    if (isGiven(value) && !used.includes(name) && (row.method === "GET" || row.parameters.has(name)))
      query.append(name, String(value));
  if (isDryRun) query.append("dryRun", "true");
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

function bodyOf({ parameters }: Row, input: Input): Input {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !parameters.has(name)));
}

const patchTypes: Readonly<Record<string, string>> = {
  append: "application/json",
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
};

function toContent({ method, marks }: Row, body: Input): { readonly contentType: string; readonly content: unknown } {
  if (method === "PATCH") {
    const contentType = patchTypes[String(body.mode ?? "append")];
    if (contentType === undefined) throw invalidInput("invalid", "mode");
    return { contentType, content: body.patch };
  }
  const content = Object.keys(body).length === 0 ? undefined : body;
  return { contentType: marks.has("form") ? "application/x-www-form-urlencoded" : "application/json", content };
}

function serialise(content: unknown, contentType: string): string | undefined {
  if (content === undefined) return undefined;
  if (contentType.endsWith("urlencoded")) return toForm(content as Input);
  try {
    return JSON.stringify(content);
  } catch {
    throw invalidInput("invalidJSON", "");
  }
}

function toForm(fields: Input): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (isGiven(value)) form.append(name, String(value));
  return form.toString();
}

function toHeaders({ auditReason, ifMatch, tenantHeader, tenantId }: RequestOptions): Record<string, string> {
  return {
    ...(isGiven(tenantId) && { [tenantHeader]: toHeader("tenantId", String(tenantId)) }),
    ...(ifMatch !== undefined && { "if-match": toHeader("ifMatch", ifMatch) }),
    ...(auditReason !== undefined && { "x-audit-reason": toHeader("auditReason", toBytes(auditReason)) }),
  };
}

/** Whether a text is a valid header value: ASCII, or bytes as Latin-1, without control characters. */
export function isHeaderValue(text: string): boolean {
  return !/\p{Cc}/u.test(text.replace(/[\x80-\x9f]/g, "")) && !/[^\0-\xff]/.test(text);
}

function toHeader(option: string, value: string): string {
  if (!isHeaderValue(value)) throw invalidInput("invalid", option);
  return value;
}

// Headers are bytes: non-ASCII text goes as UTF-8.
function toBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

const idempotent: ReadonlySet<string> = new Set(["GET", "PUT", "DELETE"]);

function isRepeatable(row: Row, mode: unknown, { dryRun, ifMatch }: ClientCallOptions): boolean {
  const { marks, method, path, paths } = row;
  if (marks.has("once")) return false;
  if (idempotent.has(method) || marks.has("safe") || dryRun === true) return true;
  // A repeat fails because the id is taken.
  if (marks.has("named")) return path === paths[0];
  // A repeat fails because the version has changed.
  return method === "PATCH" && (mode === "merge" || (ifMatch !== undefined && !ifMatch.includes("*")));
}
