import type { VisitorPrincipal } from "latchkey/types";
import { createVisitorPrincipal } from "../../internal/visitor-principal.js";

/** What SCIM reads to find out what its caller may do, and the converters that run with a request. */
export const scimVisitor: VisitorPrincipal = createVisitorPrincipal([
  "GET /api/entity",
  "GET /api/tenant",
  "GET /api/tenant/search",
  "POST lambdas.run",
]);
