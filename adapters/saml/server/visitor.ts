import type { VisitorPrincipal } from "latchkey/types";
import { createVisitorPrincipal } from "../../internal/visitor-principal.js";

/** What SAML reads for a browser: whom to ask, whom to answer, and what to say of the user, with the lambda that changes it. */
export const samlVisitor: VisitorPrincipal = createVisitorPrincipal([
  "GET /api/application",
  "GET /api/identity-provider",
  "GET /api/tenant",
  "GET /api/user",
  "POST lambdas.run",
]);
