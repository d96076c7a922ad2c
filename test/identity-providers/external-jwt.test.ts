import { createSecretKey, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { openIdConnectLogins } from "latchkey/oidc";
import { describe, expect } from "vitest";
import { type Answer, expectOk, expectRefusal } from "../support/answer.js";
import { arrangeApplication, arrangeProvider, providerId } from "../support/identity-providers.js";
import { sharedRsaPair } from "../support/keys.js";
import { makeStatements, withRunner } from "../support/lambda-places.js";
import { anybody, claimsOf, ids } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Start, type World } from "../support/world.js";

const refused = "[identityProviderRefused]";
const pair = sharedRsaPair(0);
const pem = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
const now = (): number => Math.floor(Date.now() / 1_000);

async function startIssuer(start: Start, fields: object = {}): Promise<World> {
  const identityProviders = [openIdConnectLogins()];
  const world = await start({ clock: Date.now, identityProviders, throttle: false, ...withRunner });
  await arrangeApplication(world);
  const made = expectOk(await world.caller.post("/api/key/import", { key: { name: "Issuer", publicKey: pem } }));
  const keys = { keys: { ours: made.textAt("key.id") } };
  const claimMap = { dept: "UserData", given: "firstName", mail: "email", tel: "MobilePhone" };
  await arrangeProvider(world, "ExternalJWT", { ...keys, claimMap, ...fields });
  return world;
}

function sign(claims: object, header: object = {}, key: KeyObject = pair.privateKey): Promise<string> {
  const usual = { exp: now() + 60, mail: "ann@example.com", sub: "ann|7", ...claims };
  return new SignJWT(JSON.parse(JSON.stringify(usual))).setProtectedHeader({ alg: "RS256", kid: "ours", ...header }).sign(key);
}

function reconcile(world: World, encodedJWT: string): Promise<Answer> {
  const body = { applicationId: ids.application, encodedJWT, identityProviderId: providerId };
  return anybody(world).post("/api/jwt/reconcile", body);
}

forEachStorage((start) => {
  describe("a login with a token of a known issuer", () => {
    requirement(["external-login.clients", "external-login.lambda"], "maps its claims, and runs the lambda", async () => {
      const world = await startIssuer(start);
      const reconcileId = await makeStatements(
        world,
        "ExternalJWTReconcile",
        "user.lastName = jwt.family; registration.roles = ['buyer'];",
      );
      const identityProvider = { lambdaConfiguration: { reconcileId } };
      expectOk(await world.caller.patch(`/api/identity-provider/${providerId}`, { identityProvider }));
      const claims = { dept: "Sales", family: "Lee", given: "Ann", tel: "+15550100" };
      const answer = expectOk(await reconcile(world, await sign(claims)));
      expect(answer.at("user")).toMatchObject({
        data: { dept: "Sales" },
        firstName: "Ann",
        lastName: "Lee",
        mobilePhone: "+15550100",
      });
      expect(claimsOf(answer.textAt("token"))).toMatchObject({ authenticationType: "FEDERATED_JWT" });
      const token = await sign({ ...claims, jti: "second" });
      const body = { applicationId: ids.application, encodedJWT: token, identityProviderId: providerId };
      expect(expectOk(await anybody(world).post("/api/identity-provider/login", body)).textAt("user.id")).toBe(
        answer.textAt("user.id"),
      );
      const { encodedJWT: _token, ...named } = body;
      const data = { token: await sign({ ...claims, jti: "third" }) };
      expectOk(await anybody(world).post("/api/identity-provider/login", { ...named, data }));
    });

    requirement("external-login.tokens", "takes a token once, also with another writing of its signature", async () => {
      const world = await startIssuer(start);
      const other = async (): Promise<string> => {
        const [header = "", body = ""] = (await sign({ jti: "one" })).split(".");
        return `${header}.${body}.AAAA`;
      };
      const token = await sign({ jti: "one" });
      const answers = await Promise.all([token, token, token].map((one) => reconcile(world, one)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
      expectRefusal(await reconcile(world, await sign({ jti: "one", given: "Ann" })), 400, refused);
      expectRefusal(await reconcile(world, await other()), 400, refused);
      const withoutId = await sign({ given: "Eve" });
      expectOk(await reconcile(world, withoutId));
      expectRefusal(await reconcile(world, withoutId), 400, refused);
      const endless = await sign({ exp: 1e300 });
      expectOk(await reconcile(world, endless));
      expectRefusal(await reconcile(world, endless), 400, refused);
    });

    const demands = {
      maxTokenAgeInSeconds: 300,
      oauth2: { client_id: "shop", issuer: "https://issuer.example" },
      tokenType: "at+jwt",
    };
    const demanded = { aud: ["shop", "other"], iss: "https://issuer.example" };
    const wrong: Readonly<Record<string, () => Promise<string>>> = {
      "of another audience": () => sign({ ...demanded, aud: "other", iat: now() }, { typ: "at+jwt" }),
      "without an audience": () => sign({ ...demanded, aud: undefined, iat: now() }, { typ: "at+jwt" }),
      "of another issuer": () => sign({ ...demanded, iat: now(), iss: "https://issuer.example/" }, { typ: "at+jwt" }),
      "that is too old": () => sign({ ...demanded, iat: now() - 400 }, { typ: "at+jwt" }),
      "without an instant": () => sign(demanded, { typ: "at+jwt" }),
      "of another type": () => sign({ ...demanded, iat: now() }, { typ: "JWT" }),
      "without a type": () => sign({ ...demanded, iat: now() }),
    };
    for (const [name, make] of Object.entries(wrong))
      requirement("external-login.tokens", `refuses a token ${name} where the provider demands it`, async () => {
        const world = await startIssuer(start, demands);
        expectRefusal(await reconcile(world, await make()), 400, refused);
        expectOk(await reconcile(world, await sign({ ...demanded, iat: now() }, { typ: "at+jwt" })));
      });

    const hostile: Readonly<Record<string, () => Promise<string>>> = {
      "that is over": () => sign({ exp: now() - 120 }),
      "that never ends": () => sign({ exp: undefined }),
      "that begins later": () => sign({ nbf: now() + 120 }),
      "of another key": () => sign({}, {}, sharedRsaPair(1).privateKey),
      "of an unknown key": () => sign({}, { kid: "theirs" }),
      "of a key named __proto__": () => sign({}, { kid: "__proto__" }),
      "whose secret is the public key": () => sign({}, { alg: "HS256" }, createSecretKey(Buffer.from(pem))),
      "of another algorithm of the key": () => sign({}, { alg: "PS256" }),
      "of nobody": () => sign({ sub: undefined }),
      "that is none": async () => "no token",
      "without a signature": async () => `${btoa('{"alg":"none","kid":"ours"}').replace(/=/g, "")}.e30.`,
    };
    for (const [name, make] of Object.entries(hostile))
      requirement("external-login.clients", `refuses a token ${name}`, async () => {
        const world = await startIssuer(start);
        expectRefusal(await reconcile(world, await make()), 400, refused);
      });

    requirement("external-login.proof", "links nobody by an address that the token calls not verified", async () => {
      const world = await startIssuer(start);
      expectOk(await world.caller.post("/api/user", { user: { email: "known@example.com", verified: true } }));
      expect((await reconcile(world, await sign({ email_verified: false, mail: "known@example.com" }))).status).toBe(232);
      expectOk(await reconcile(world, await sign({ mail: "known@example.com" })));
    });

    requirement("external-login.clients", "takes the default key where the token names none", async () => {
      const world = await startIssuer(start);
      const identityProvider = (await world.caller.get(`/api/identity-provider/${providerId}`)).at("identityProvider") as {
        readonly keys: { readonly ours: string };
      };
      const withDefault = { identityProvider: { ...identityProvider, defaultKeyId: identityProvider.keys.ours, keys: {} } };
      expectOk(await world.caller.put(`/api/identity-provider/${providerId}`, withDefault));
      expectOk(await reconcile(world, await sign({}, { kid: undefined })));
      expectRefusal(await world.caller.delete(`/api/key/${identityProvider.keys.ours}`), 400, "[inUse]keyId");
    });
  });

  describe("the reconcile lambda", () => {
    requirement(
      "external-login.lambda",
      "that fails, sets what no user may have or hides behind another user ends the login",
      async () => {
        for (const [statements, code] of [
          ["throw new Error('no');", "[LambdaFailed]"],
          ["user.email = 'no address';", "[notEmail]user.email"],
          ["registration.roles = ['unknown'];", "[invalid]registration.roles"],
          ["user.username = 'taken';", "[duplicate]user.username"],
        ] as const) {
          const world = await startIssuer(start);
          expectOk(await world.caller.post("/api/user", { user: { username: "taken" } }));
          const reconcileId = await makeStatements(world, "ExternalJWTReconcile", statements);
          const identityProvider = { lambdaConfiguration: { reconcileId } };
          expectOk(await world.caller.patch(`/api/identity-provider/${providerId}`, { identityProvider }));
          expectRefusal(await reconcile(world, await sign({})), 400, code);
          const found = await world.caller.get("/api/user?email=ann@example.com");
          expect(found.status).toBe(404);
        }
      },
    );

    requirement("external-login.lambda", "changes neither whose user it is, nor where it is", async () => {
      const world = await startIssuer(start);
      const statements = "user.id = 'x'; user.tenantId = 'y'; user.password = 'secret secret'; registration.applicationId = 'z';";
      const reconcileId = await makeStatements(world, "ExternalJWTReconcile", statements);
      const identityProvider = { lambdaConfiguration: { reconcileId } };
      expectOk(await world.caller.patch(`/api/identity-provider/${providerId}`, { identityProvider }));
      const answer = expectOk(await reconcile(world, await sign({})));
      expect(answer.at("user")).toMatchObject({ email: "ann@example.com", tenantId: world.defaultTenantId });
      expect(answer.at("user.passwordLastUpdateInstant")).toBeUndefined();
      expect(answer.at("user.registrations.0.applicationId")).toBe(ids.application);
    });
  });
});
