// Which refresh tokens are replaced, and what a replaced one is good for (docs/reference/tokens.md#refresh).
import { memoryStorage } from "latchkey/memory";
import type { Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import * as client from "openid-client";
import { describe, expect } from "vitest";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { completeLogin, discover, type ProviderWorld, startProvider } from "./support/provider.js";

const storages: readonly (readonly [name: string, create: () => Storage])[] = [
  ["memory", memoryStorage],
  ["SQLite", () => sqliteStorage({ filename: ":memory:" })],
];

const refused = { error: "invalid_grant" };

interface RefreshWorld extends ProviderWorld {
  readonly config: client.Configuration;
  readonly first: string;
  readonly move: (seconds: number) => void;
}

/** A client whose tokens are replaced with each use, and its first one. */
async function startRefresh(storage: Storage, jwtConfiguration: object, settings: object = {}): Promise<RefreshWorld> {
  let offset = 0;
  const clock = (): number => Date.now() + offset;
  const world = await startProvider(storage, settings, { clock });
  const { applicationId, identity } = world;
  const patch = { application: { jwtConfiguration: { enabled: true, ...jwtConfiguration } } };
  await identity.applications.patch({ applicationId, mode: "merge", patch });
  const isPublic = "clientAuthenticationPolicy" in settings;
  const config = await discover(world, isPublic ? client.None() : undefined);
  const { refresh_token: first = "" } = await completeLogin(config, { scope: "openid offline_access" });
  const move = (seconds: number): void => {
    offset += seconds * 1_000;
  };
  return { ...world, config, first, move };
}

const sessionsOf = async ({ identity, userId }: ProviderWorld): Promise<readonly object[]> =>
  (await identity.jwt.list({ userId })).refreshTokens;

// In memory by default, on SQLite in full runs.
describe.each(isLong ? storages.slice(1) : storages.slice(0, 1))("a refresh on %s", (_name, create) => {
  requirement("openid.reuse", "a client with a secret uses its token again", async () => {
    const world = await startRefresh(create(), {});
    const { config, first } = world;
    const before = await sessionsOf(world);
    for (let use = 0; use < 2; use++) expect((await client.refreshTokenGrant(config, first)).refresh_token).toBe(first);
    expect(await sessionsOf(world)).toEqual(before);
  });

  const policies: readonly (readonly [name: string, jwtConfiguration: object, settings: object])[] = [
    ["of a client whose tokens are for one use", { refreshTokenUsagePolicy: "OneTimeUse" }, {}],
    ["of a client without a secret", {}, { clientAuthenticationPolicy: "NotRequired" }],
    ["of a client that proves itself by PKCE", {}, { clientAuthenticationPolicy: "NotRequiredWhenUsingPKCE" }],
  ];
  for (const [name, jwtConfiguration, settings] of policies)
    requirement("openid.rotation", `${name} replaces the token, and ends the session when it comes again`, async () => {
      const world = await startRefresh(create(), jwtConfiguration, settings);
      const { config, first, move } = world;
      const before = await sessionsOf(world);
      const second = await client.refreshTokenGrant(config, first);
      expect(second.refresh_token).not.toBe(first);
      expect(await sessionsOf(world)).toEqual(before);
      move(61);
      await expect(client.refreshTokenGrant(config, first)).rejects.toMatchObject(refused);
      // Not `invalid_client`, by which clients would look for a mistake of their own.
      await expect(client.refreshTokenGrant(config, second.refresh_token ?? "")).rejects.toMatchObject(refused);
      expect(await sessionsOf(world)).toEqual([]);
      expect(await client.tokenIntrospection(config, second.access_token)).toEqual({ active: false });
    });

  const oneTime = { refreshTokenUsagePolicy: "OneTimeUse" };

  requirement("openid.grace", "a token that was replaced a moment ago gets the same answer again", async () => {
    const { config, first, move } = await startRefresh(create(), oneTime);
    const second = await client.refreshTokenGrant(config, first);
    move(59);
    const again = await client.refreshTokenGrant(config, first);
    expect([again.refresh_token, again.access_token]).toEqual([second.refresh_token, second.access_token]);
    expect((await client.refreshTokenGrant(config, again.refresh_token ?? "")).refresh_token).not.toBe(first);
  });

  requirement("openid.grace", "two refreshes at once get one answer", async () => {
    const world = await startRefresh(create(), oneTime);
    const answers = await Promise.all([1, 2, 3].map(() => client.refreshTokenGrant(world.config, world.first)));
    expect(new Set(answers.map((answer) => answer.refresh_token)).size).toBe(1);
    expect(await sessionsOf(world)).toHaveLength(1);
  });

  requirement("openid.grace", "nothing comes again after a logout, for another client, or without a grace", async () => {
    const world = await startRefresh(create(), oneTime);
    const { config, first, identity, userId } = world;
    await client.refreshTokenGrant(config, first);
    await identity.jwt.revoke({ userId });
    await expect(client.refreshTokenGrant(config, first)).rejects.toMatchObject(refused);
    const strict = await startRefresh(create(), { ...oneTime, refreshGraceSeconds: 0 });
    await client.refreshTokenGrant(strict.config, strict.first);
    await expect(client.refreshTokenGrant(strict.config, strict.first)).rejects.toMatchObject(refused);
    expect(await sessionsOf(strict)).toEqual([]);
  });
});
