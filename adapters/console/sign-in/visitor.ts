import type { VisitorPrincipal } from "latchkey/types";
import { createVisitorPrincipal } from "../../internal/visitor-principal.js";

/** Somebody who signs in to the console. The rest is the business of the person who is signed in, as an administrator. */
export const signInVisitor: VisitorPrincipal = createVisitorPrincipal([
  "POST /api/jwt/refresh",
  "POST /api/login",
  "POST /api/two-factor/login",
  "POST /api/two-factor/send",
]);

/** Somebody who opens the link for the first administrator: it makes the application of the console, and registers its user. */
export const setUpVisitor: VisitorPrincipal = createVisitorPrincipal([
  "GET /api/application",
  "GET /api/tenant",
  "GET /api/user/search",
  "PATCH /api/application",
  "POST /api/application",
  "POST /api/user/registration",
]);

/** What the console itself reads, to find out who somebody is and what a change is about, and the end of a session. */
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
