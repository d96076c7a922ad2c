import type { VisitorPrincipal } from "latchkey/types";
import { createVisitorPrincipal } from "../../internal/visitor-principal.js";

/** SCIM's own permissions: to find out the caller's rights, and to run converters. */
export const scimVisitor: VisitorPrincipal = createVisitorPrincipal([
  "GET /api/entity",
  "GET /api/tenant",
  "GET /api/tenant/search",
  "POST lambdas.run",
]);
