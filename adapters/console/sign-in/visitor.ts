import type { VisitorPrincipal } from "latchkey/types";
import { createVisitorPrincipal } from "../../internal/visitor-principal.js";

/** The permissions of a caller before sign-in. After it, the administrator's own apply. */
export const signInVisitor: VisitorPrincipal = createVisitorPrincipal([
  "POST /api/jwt/refresh",
  "POST /api/login",
  "POST /api/two-factor/login",
  "POST /api/two-factor/send",
]);

/** The permissions of a set-up link: it creates the application of the console and registers its user. */
export const setUpVisitor: VisitorPrincipal = createVisitorPrincipal([
  "GET /api/application",
  "GET /api/tenant",
  "GET /api/user/search",
  "PATCH /api/application",
  "POST /api/application",
  "POST /api/user/registration",
]);

/** The console's own permissions: it reads callers and the targets of changes, and ends sessions. */
export const consoleReader: VisitorPrincipal = createVisitorPrincipal([
  "GET /api/application",
  "GET /api/group",
  "GET /api/jwt/refresh",
  "GET /api/user",
  "GET /api/user/action",
  "GET /api/user/consent",
  "GET /api/user/search",
  "GET /api/webauthn",
  "DELETE /api/jwt/refresh",
]);
