// Every kind of key at every place that names keys, every kind of token, every way in: what verifies, and that nothing else does.
import { expect } from "vitest";
import { Caller } from "../support/caller.js";
import { sendForm } from "../support/clients.js";
import { addProofRoutes, makeClientKey, makeProof, origin } from "../support/dpop.js";
import { mintTokens } from "../support/minted-tokens.js";
import { type NamingPlace, namingPlaces, takesKind } from "../support/naming-places.js";
import { requirement } from "../support/requirement.js";
import { type KeyKind, keyKinds, makeScene, type Scene, type Sign } from "../support/token-places.js";
import { bootstrapKey, startWorld, storages, uuid, type World } from "../support/world.js";

addProofRoutes();

type Holder = "user" | "client";

/** A way in: whether it takes a token, which it may know of one kind of holder alone. */
interface Way {
  readonly name: string;
  readonly for?: Holder;
  readonly takes: (scene: Scene, token: string) => Promise<boolean>;
}

const byHeaders =
  (path: string, toHeaders: (token: string) => Readonly<Record<string, string>>): Way["takes"] =>
  async ({ world }, token) => {
    const { status, text } = await new Caller(world.identity, toHeaders(token)).get(path);
    if (status !== 200) expect([status, text]).toEqual([401, ""]);
    return status === 200;
  };

const bearer = (token: string): Readonly<Record<string, string>> => ({ Authorization: `Bearer ${token}` });

const ways: readonly Way[] = [
  { name: "Bearer", takes: byHeaders("/api/jwt/validate", bearer) },
  { name: "JWT", takes: byHeaders("/api/jwt/validate", (token) => ({ Authorization: `JWT ${token}` })) },
  { name: "cookie", takes: byHeaders("/api/jwt/validate", (token) => ({ Cookie: `access_token=${token}` })) },
  { name: "own user", for: "user", takes: byHeaders("/api/user", bearer) },
  { name: "API of clients", for: "client", takes: byHeaders("/api/group", bearer) },
  { name: "userinfo", for: "user", takes: byHeaders("/oauth2/userinfo", bearer) },
  {
    name: "introspection",
    takes: async ({ world, applicationId }, token) => {
      const byKey = { Authorization: bootstrapKey };
      const asUser = await sendForm(world, "/oauth2/introspect", { token, client_id: applicationId }, byKey);
      const asClient = await sendForm(world, "/oauth2/introspect", { token }, byKey);
      return [asUser, asClient].some(({ text }) => text !== '{"active":false}');
    },
  },
  { name: "in process", takes: async ({ world }, token) => (await world.identity.verifyToken(token)) !== undefined },
];

/** Ways that take no token of any kind. */
const closed: readonly Way[] = [
  { name: "DPoP without a proof", takes: byHeaders("/api/jwt/validate", (token) => ({ Authorization: `DPoP ${token}` })) },
  { name: "an API key", takes: byHeaders("/api/group", (token) => ({ Authorization: token })) },
  {
    name: "refresh",
    takes: async ({ world }, token) =>
      (await new Caller(world.identity, {}).post("/api/jwt/refresh", { refreshToken: token })).status === 200,
  },
];

async function judgeCell(scene: Scene, other: Scene, sign: Sign, good: Readonly<Record<Holder, boolean>>): Promise<string[]> {
  const wrong: string[] = [];
  for (const { name, of, token } of await mintTokens(scene, sign, other)) {
    for (const way of ways) {
      const expected = of !== undefined && good[of] && (way.for ?? of) === of;
      if ((await way.takes(scene, token)) !== expected) wrong.push(`${name}, ${way.name}: ${!expected}`);
    }
    for (const way of closed) if (await way.takes(scene, token)) wrong.push(`${name}, ${way.name}: true`);
  }
  return wrong;
}

let keyNumber = 50_000;

async function judge(world: World, kind: KeyKind, place: NamingPlace, other: Scene): Promise<string[]> {
  const scene = await makeScene(world);
  const keyId = uuid(++keyNumber);
  const sign = await kind.import(world, keyId);
  await place.give(scene, keyId);
  const good = { user: kind.signs && place.user, client: kind.signs && place.client };
  const wrong = await judgeCell(scene, other, sign, good);
  return wrong.map((what) => `${kind.name} at ${place.name}: ${what}`);
}

for (const [storage, open] of storages)
  for (const kind of storage === "memory" ? keyKinds : keyKinds.slice(0, 1))
    requirement(
      ["token.key-named", "token.type", "token.issuer", "token.audience"],
      `on ${storage} a key (${kind.name}) verifies the access tokens of the places that name it for them, and nothing else`,
      async () => {
        const world = await startWorld(open());
        const other = await makeScene(world);
        expect(namingPlaces.filter((place) => takesKind(place, kind)).length).toBeGreaterThan(kind.signs ? 12 : 0);
        for (const place of namingPlaces.filter((one) => takesKind(one, kind)))
          expect(await judge(world, kind, place, other)).toEqual([]);
      },
    );

requirement(["token.key-named", "dpop.accepted"], "a token that is bound to a key is held to the same rules", async () => {
  const world = await startWorld(storages[0]?.[1]() ?? expect.fail());
  const client = await makeClientKey();
  const seen: [string, boolean][] = [];
  for (const place of namingPlaces) {
    const kind = keyKinds.find((one) => one.name !== "HMAC" && takesKind(place, one)) ?? expect.fail();
    const scene = await makeScene(world);
    const keyId = uuid(++keyNumber);
    const sign = await kind.import(world, keyId);
    await place.give(scene, keyId);
    const exp = world.clock.instant / 1_000 + 600;
    const claims = {
      cnf: { jkt: client.thumbprint },
      exp,
      iat: exp - 600,
      iss: "latchkey",
      sub: scene.userId,
      tid: scene.tenantId,
      tty: "at",
    };
    const token = await sign({}, claims);
    const proof = await makeProof(client, { url: `${origin}/api/user`, token, now: world.clock.instant });
    const { status } = await new Caller(world.identity, { Authorization: `DPoP ${token}`, DPoP: proof, Host: "localhost" }).get(
      "/api/user",
    );
    expect((await new Caller(world.identity, bearer(token)).get("/api/user")).status).toBe(401);
    seen.push([place.name, status === 200]);
  }
  expect(seen).toEqual(namingPlaces.map(({ name, user }) => [name, user]));
});
