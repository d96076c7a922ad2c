import type { ApiRequest, ApiResponse } from "latchkey/ports";
import { browserHeaders } from "../internal/page-headers.js";
import { changesAdministrators, isGuarded } from "./guard/administrator-changes.js";
import { normalizeUrl } from "./guard/user-references.js";
import { withoutSecrets } from "./hidden-secrets.js";
import { findApplication } from "./sign-in/administrators.js";
import { createError, type ReadBody, readBody, toServiceRequest } from "./sign-in/requests.js";
import { type ConsolePerson, toCookie } from "./sign-in/session.js";
import type { SessionContext } from "./sign-in/sign-in.js";

/** Content security policy of responses that a browser opens as a page. */
const inertPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Forwards a call of the public API for the signed-in administrator. @throws IdentityError 400, 401, 403. */
export async function handleApi(context: SessionContext, request: ApiRequest): Promise<ApiResponse> {
  const person = await context.findPerson(request);
  if (person === undefined) throw createError(401, "[unauthorized]", "Sign in.");
  const held = await readBody(context.identity, normalizeUrl(request));
  await assertMay(context, held, person);
  const { path } = held.request;
  const response = await context.identity.handle(toServiceRequest(held.request, { path }), person.principal);
  if (response === undefined) throw createError(404, "[notFound]", "There is no such path.");
  // The browser application takes 401 as the end of the session.
  if (response.status === 401) throw createError(403, "[forbidden]", "Your role does not allow this.");
  const { "set-cookie": _cookies, ...headers } = response.headers;
  const cookie = person.renewed && { "set-cookie": toCookie(request, context.mount, person.renewed) };
  const own = { ...browserHeaders, "content-security-policy": inertPolicy, ...headers, ...cookie };
  return withoutSecrets(person.role, path, { ...response, headers: own });
}

async function assertMay(
  { identity, reader }: SessionContext,
  { request, text }: ReadBody,
  person: ConsolePerson,
): Promise<void> {
  const { needsConfirmation, role } = person;
  if (role === "full" && !needsConfirmation) return;
  const isWrite = request.method !== "GET" && request.method !== "HEAD" && !request.path.endsWith("/search");
  const guarded = isGuarded(request);
  if (!guarded && !isWrite) return;
  const touched = { identity, reader, application: await findApplication(reader) };
  if (!guarded && !(await changesAdministrators(touched, request, text))) return;
  if (role === "full") throw createError(403, "[confirmation_required]", "Confirm that it is you.");
  if (isWrite) throw createError(403, "[administrators]", "Only a full administrator may change administrators.");
}
