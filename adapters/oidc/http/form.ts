import { IdentityError } from "latchkey";
import type { ApiRequest, ApiResponse, ProtocolHost } from "latchkey/ports";

/** The most bytes of a client's form. */
const maxBytes = 56 * 1_024;

/** The parameters of a request: of its form for POST, else of its query. Empty parameters are left out (RFC 6749, 3.1, 3.2). */
export interface RequestForm {
  readonly params: URLSearchParams;
  /** The request with only these parameters, for later readers. */
  readonly request: ApiRequest;
  /** The form, for POST. */
  readonly body: string | undefined;
}

/** Reads the parameters of a request to an OAuth endpoint. @throws IdentityError 400, 408, 413 above 56 KiB, 415. */
export async function readForm(host: Pick<ProtocolHost, "readText">, request: ApiRequest): Promise<RequestForm> {
  if (request.method !== "POST") {
    const params = withoutEmpty(request.query);
    return { params, request: { ...request, query: params.toString() }, body: undefined };
  }
  const params = withoutEmpty((await host.readText(request, maxBytes)) ?? "");
  const body = params.toString();
  return { params, request: { ...request, body: { kind: "text", text: body } }, body };
}

function withoutEmpty(text: string): URLSearchParams {
  return new URLSearchParams([...new URLSearchParams(text)].filter(([, value]) => value !== ""));
}

/** Returns a redirect to the same request with GET. */
export function toQuery({ path, query }: ApiRequest, { params }: RequestForm, { pathname }: URL): ApiResponse {
  const all = new URLSearchParams([...new URLSearchParams(query), ...params]);
  const location = `${pathname.replace(/\/$/, "")}${path}?${all}`;
  return { status: 303, headers: { location, "cache-control": "no-store" }, body: "" };
}

/** Forms of users are larger than those of clients. */
const maxPageBytes = 262_144;

const maxFields = 2_000;

/** Reads the form of a page; empty without one. @throws IdentityError 400, 408, 413, 415. */
export async function readPageForm(host: Pick<ProtocolHost, "readText">, request: ApiRequest): Promise<URLSearchParams> {
  const text = await host.readText(request, maxPageBytes);
  const { "content-type": given } = request.headers;
  if (request.body === undefined || (text === undefined && given === undefined)) return new URLSearchParams();
  const [type = ""] = String(given ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded") throw refusal(415, "[UnsupportedContentType]");
  const fields = new URLSearchParams(text);
  if (fields.size > maxFields) throw refusal(400, "[tooMany]");
  return fields;
}

function refusal(status: number, code: string): IdentityError {
  return new IdentityError(status, { generalErrors: [{ code, message: "The form cannot be read." }] });
}
