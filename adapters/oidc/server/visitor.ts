import type { VisitorPrincipal } from "latchkey/types";
import { createVisitorPrincipal } from "../../internal/visitor-principal.js";

/**
 * Calls of the login pages on behalf of a visitor: logins, registrations, and the proofs of both. Calls that need no credential,
 * such as a forgotten password, have no principal: their responses then contain no ids.
 */
export const visitorCalls: readonly string[] = [
  "GET /api/identity-provider/lookup",
  "POST /api/identity-provider/start",
  "POST /api/identity-provider/login",
  "POST /api/identity-provider/link",
  "POST /api/login",
  "POST /api/passwordless/start",
  "POST /api/passwordless/login",
  "POST /api/two-factor/start",
  "POST /api/two-factor/send",
  "POST /api/two-factor/passkey",
  "POST /api/two-factor/login",
  "GET /api/webauthn",
  "POST /api/webauthn/start",
  "POST /api/webauthn/login",
  "POST /api/webauthn/register/start",
  "POST /api/webauthn/register/complete",
  "POST /api/form/validate",
  "POST /api/identity/verify/start",
  "POST /api/identity/verify/send",
  "POST /api/identity/verify/complete",
  "POST /api/user/registration",
  "POST /api/user/consent",
];

/** The data that the pages read for display. */
export const pageReads: readonly string[] = [
  "GET /api/application",
  "GET /api/form/describe",
  "GET /api/identity-provider",
  "GET /api/identity-provider/search",
  "GET /api/tenant",
  "GET /api/tenant/search",
  "GET /api/theme",
  "GET /api/user",
];

const visitor = createVisitorPrincipal(visitorCalls);

/** The principal of a visitor of the login pages, bound to a known tenant. */
export function toVisitor(tenantId: string | undefined): VisitorPrincipal {
  return { ...visitor, tenantId };
}

/** The principal of the pages themselves, for their own data. */
export const pageReader: VisitorPrincipal = createVisitorPrincipal(pageReads);
