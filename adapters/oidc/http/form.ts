import { type ApiRequest, IdentityError } from "latchkey";
import { isObject } from "../../internal/objects.js";

/** The longest form that is read, in bytes. */
const maxBytes = 56 * 1_024;

/** The parameters of a request, and its body as text where it has a form. */
export interface RequestForm {
  readonly params: URLSearchParams;
  readonly body: string | undefined;
}

/** Reads the query of a request or, for POST, the form. @throws IdentityError 413 above 56 KiB. */
export async function readForm(request: ApiRequest): Promise<RequestForm> {
  if (request.method !== "POST") return { params: new URLSearchParams(request.query), body: undefined };
  const body = await readText(request);
  return { params: new URLSearchParams(body), body };
}

async function readText({ body }: ApiRequest): Promise<string> {
  if (body === undefined) return "";
  if (body.kind === "parsed") return toText(body.value);
  if (body.kind === "text") return bounded(Buffer.from(body.text)).toString();
  if (body.kind === "bytes") return bounded(Buffer.from(body.bytes)).toString();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body.stream) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

// What the host's own parser made of a form.
function toText(value: unknown): string {
  if (!isObject(value)) return "";
  const fields = Object.entries(value).flatMap(([name, given]) =>
    [given].flat().map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(fields).toString();
}

function bounded(bytes: Buffer): Buffer {
  if (bytes.length > maxBytes) throw tooLarge();
  return bytes;
}

function tooLarge(): IdentityError {
  return new IdentityError(413, { generalErrors: [{ code: "[tooLarge]", message: "The form is longer than 56 KiB." }] });
}
