import type { VisitorPrincipal } from "latchkey/types";
import { createVisitorPrincipal } from "../../internal/visitor-principal.js";

/** The permissions of SAML logins: read providers, applications, tenants and users, and run the populate lambda. */
export const samlVisitor: VisitorPrincipal = createVisitorPrincipal([
  "GET /api/application",
  "GET /api/identity-provider",
  "GET /api/tenant",
  "GET /api/user",
  "POST lambdas.run",
]);
