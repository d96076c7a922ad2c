// A strict relying party logs in by the authorization code grant (docs/reference/openid.md).
import { memoryStorage } from "latchkey/memory";
import type { Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import * as client from "openid-client";
import { describe, expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { beginLogin, completeLogin, discover, logIn, startProvider } from "./support/provider.js";

const storages: readonly (readonly [name: string, create: () => Storage])[] = [
  ["memory", memoryStorage],
  ["SQLite", () => sqliteStorage({ filename: ":memory:" })],
];

describe.each(storages)("a login on %s", (_name, create) => {
  requirement("openid.code", "by code and PKCE gives tokens of the service", async () => {
    const world = await startProvider(create());
    const config = await discover(world);
    const tokens = await completeLogin(config);
    expect(tokens.claims()).toMatchObject({ aud: world.applicationId, iss: world.issuer, sub: world.userId, amr: ["pwd"] });
    const userInfo = await client.fetchUserInfo(config, tokens.access_token, world.userId);
    expect(userInfo).toMatchObject({ sub: world.userId, email: "ada@example.com", given_name: "Ada" });
    const { jwt } = JSON.parse(
      (await world.identity.inject({ url: "/api/jwt/validate", headers: { authorization: `Bearer ${tokens.access_token}` } }))
        .body,
    ) as { readonly jwt: object };
    expect(jwt).toMatchObject({
      client_id: world.applicationId,
      gty: ["authorization_code"],
      scope: "openid email profile",
      tty: "at",
    });
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true, sub: world.userId });
  });

  test("a code works once: used again, it revokes what it gave", async () => {
    const world = await startProvider(create());
    const config = await discover(world);
    const { checks, url } = await beginLogin(config);
    const ended = await logIn(new Browser(), url);
    const tokens = await client.authorizationCodeGrant(config, ended, checks);
    await expect(client.authorizationCodeGrant(config, ended, checks)).rejects.toMatchObject({ error: "invalid_grant" });
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  });
});
