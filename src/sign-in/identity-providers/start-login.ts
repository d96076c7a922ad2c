import { fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { OperationCall } from "../../operations/operation.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { issueId } from "../../sessions/one-time-ids/one-time-ids.js";
import { isHttpUrl } from "../../shared/http.js";
import { assertReal } from "../steps/assert-usable-login.js";
import { toSignInHost } from "../steps/sign-in-host.js";
import { callProvider } from "./call-provider.js";
import { findLoginProvider } from "./find-provider.js";

const startRequest = lazySchema("providers", "externalLoginStartRequest");

/**
 * POST: starts a login by a provider (docs/reference/identity-providers.md#start-a-login). Stores the state of the provider's
 * client with the code, which works once, with this provider and application only.
 */
export async function startLogin(call: OperationCall): Promise<OperationResult> {
  assertReal(call);
  const request = await parseWith(startRequest, call.body);
  const { applicationId, identityProviderId, loginId, redirect_uri: redirectUri = "", state } = request;
  const { client, place, provider, record } = await findLoginProvider(call, request);
  const { tenant } = place;
  assertRedirect(provider.type, redirectUri);
  const code = Buffer.from(call.service.runtime.random(32)).toString("base64url");
  const started = { applicationId, loginHint: loginId, provider: record, redirectUri, state: code, tenantId: tenant.id };
  const redirect = await callProvider(call, provider, () => client.start(started, toSignInHost(call.service)));
  const { formFields, memory, url } = redirect;
  const details = { externalLogin: { identityProviderId, memory, redirectUri }, state };
  await call.write((write) => issueId(write, tenant, { purpose: "externalLogin", applicationId, details, id: code }));
  return { status: 200, json: toCanonicalJson({ code, formFields, url }) };
}

function assertRedirect(type: string, redirectUri: string): void {
  if (type === "HYPR") return;
  if (redirectUri === "") throw fieldError("blank", "redirect_uri");
  if (!isHttpUrl(redirectUri)) throw fieldError("invalid", "redirect_uri");
}
