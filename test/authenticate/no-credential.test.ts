import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { isOptional } from "../../src/http/route/define-route.js";
import { expectEmpty } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { anybody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { startWorld, uuid } from "../support/world.js";

const open = routes.filter(({ access }) => access === "public");
const namesOf = (of: typeof routes): readonly string[] => of.map(({ method, path }) => `${method} ${path}`).sort();

requirement("auth.none", "is needed by everything but these endpoints", () => {
  // Written out, so that nobody opens another one without meaning to.
  expect(namesOf(open)).toEqual([
    "GET /.well-known/jwks.json",
    "GET /api/health",
    "GET /api/jwt/public-key",
    "POST /api/jwt/refresh",
    "POST /api/logout",
    "POST /api/two-factor/passkey/:twoFactorId",
    "POST /api/two-factor/send/:twoFactorId",
    "POST /oauth2/token",
  ]);
  const optional = routes.filter(({ access }) => isOptional(access));
  expect(namesOf(optional)).toEqual([
    "GET /api/identity-provider/lookup",
    "GET /api/tenant/password-validation-rules",
    "GET /api/tenant/password-validation-rules/:tenantId",
    "GET /api/user/change-password",
    "GET /api/user/change-password/:changePasswordId",
    "POST /api/identity-provider/login",
    "POST /api/identity-provider/start",
    "POST /api/jwt/reconcile",
    "POST /api/login",
    "POST /api/passwordless/login",
    "POST /api/passwordless/send",
    "POST /api/two-factor/login",
    "POST /api/user/change-password",
    "POST /api/user/change-password/:changePasswordId",
    "POST /api/user/forgot-password",
    "POST /api/user/verify-email",
    "POST /api/user/verify-email/:verificationId",
    "POST /api/user/verify-registration",
    "POST /api/user/verify-registration/:verificationId",
    "POST /api/webauthn/assert",
    "POST /api/webauthn/login",
    "POST /oauth2/introspect",
    "PUT /api/user/verify-email",
    "PUT /api/user/verify-registration",
  ]);
  const local = routes.filter(({ access }) => access === "local");
  expect(namesOf(local)).toEqual(["GET /api/prometheus/metrics", "GET /api/status"]);
});

requirement("auth.none", "makes these endpoints answer as they would with any", async () => {
  const world = await startWorld(memoryStorage());
  for (const { method, path } of open) {
    const url = path.replaceAll(/:\w+/g, uuid(1));
    const plain = await anybody(world).send(method, url);
    // The token endpoint reads the credentials of its clients from the same header.
    if (path === "/oauth2/token") continue;
    expect([url, plain.status === 401]).toEqual([url, false]);
    for (const header of ["wrong-key", "Bearer x.y.z", ""])
      expect([url, header, await new Caller(world.identity, { Authorization: header }).send(method, url)]).toEqual([
        url,
        header,
        plain,
      ]);
  }
});

requirement("auth.none", "is no way in where it may be absent: a login still needs to be one", async () => {
  const world = await startWorld(memoryStorage());
  const login = { loginId: "nobody@example.com", password: "none at all" };
  expectEmpty(await anybody(world).post("/api/login", login), 401);
  const unknown = { code: "123456", twoFactorId: "unknown" };
  expectEmpty(await anybody(world).post("/api/two-factor/login", unknown), 404);
});
