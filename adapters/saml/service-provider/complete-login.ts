import { SignInError } from "latchkey";
import type { ProviderLoginResponse, ProviderUser, SignInHost } from "latchkey/ports";
import { decodePostMessage } from "../messages/decode-message.js";
import { checkAssertion } from "./check-assertion.js";
import { checkIssuer, checkResponse } from "./check-response.js";
import type { LoginSettings } from "./login-library.js";
import { readProviderSettings } from "./provider-settings.js";
import { readUser } from "./read-user.js";
import { findConsumerUrl, findEntityId } from "./urls.js";
import { verifyAssertion } from "./verify-assertion.js";

/**
 * Verifies the response of an identity provider: checks its form, lets the library verify signatures and decrypt, then reads
 * everything from signed elements. The log has the reason of a refusal; the caller does not see it.
 * @throws SignInError `refused`
 */
export async function completeLogin(answer: ProviderLoginResponse, host: SignInHost): Promise<ProviderUser> {
  const login = toLogin(answer, host);
  try {
    return await verifyResponse(login, answer, host);
  } catch (cause) {
    if (cause instanceof SignInError) throw cause;
    host.logger.warn({ err: cause, identityProviderId: answer.provider.id }, "SAML response refused");
    throw new SignInError("refused", "The SAML response is not valid.", { cause });
  }
}

function toLogin({ provider, redirectUri, memory }: ProviderLoginResponse, { publicUrl }: SignInHost): LoginSettings {
  const settings = readProviderSettings(provider);
  const requestId = settings.hasRequests ? memory?.requestId : undefined;
  const isInitiated = requestId === undefined;
  if (isInitiated && !settings.hasInitiatedLogins) throw new SignInError("refused", "The login did not start here.");
  const consumerUrl = findConsumerUrl(settings, { redirectUri, isInitiated, publicUrl });
  return { settings, consumerUrl, entityId: findEntityId(settings, publicUrl), requestId };
}

async function verifyResponse(
  login: LoginSettings,
  { parameters }: ProviderLoginResponse,
  host: SignInHost,
): Promise<ProviderUser> {
  const encoded = parameters.SAMLResponse ?? parameters.samlResponse ?? "";
  const { root } = decodePostMessage(encoded);
  const parts = checkResponse(root, login);
  checkIssuer(root, login);
  const assertion = await verifyAssertion(encoded, parts, { login, host });
  const { id, expirationInstant } = checkAssertion(assertion, login, host.clock());
  const user = readUser({ response: root, assertion }, login.settings.claims);
  return { ...user, useOnce: { id, expirationInstant } };
}
