import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { type ClientKey, makeClientKey, makeProof, origin, presented } from "../support/dpop.js";
import { anybody, arrangeLogin, claimsOf, ids, logIn, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type World } from "../support/world.js";

const refreshPath = "/api/jwt/refresh";

/** A proof for a POST to a path. */
const prove = (world: World, key: ClientKey, path: string): Promise<string> =>
  makeProof(key, { method: "POST", url: origin + path, now: world.clock.instant });

/** Logs in with a proof. */
async function logInBound(world: World, key: ClientKey): Promise<{ readonly token: string; readonly refreshToken: string }> {
  const answer = await world.caller.post("/api/login", loginBody(), { DPoP: await prove(world, key, "/api/login") });
  expect(expectOk(answer).cookies).toEqual([]);
  return { token: answer.textAt("token"), refreshToken: answer.textAt("refreshToken") };
}

forEachStorage((start) => {
  describe("a login with a proof of a key", () => {
    requirement("refresh.bound", "binds its tokens: the access token opens nothing without the key", async () => {
      const world = await start();
      await arrangeLogin(world);
      const key = await makeClientKey();
      const { token } = await logInBound(world, key);
      expect(claimsOf(token).cnf).toEqual({ jkt: key.thumbprint });
      const proof = await makeProof(key, { token, url: `${origin}/api/user`, now: world.clock.instant });
      expect(expectOk(await anybody(world, presented(token, proof)).get("/api/user")).at("user.id")).toBe(ids.user);
      for (const headers of [{ Authorization: `Bearer ${token}` }, { Authorization: `DPoP ${token}` }])
        expectEmpty(await anybody(world, headers).get("/api/user"), 401);
      expectEmpty(await anybody(world, { Cookie: `access_token=${token}` }).get("/api/user"), 401);
    });

    requirement("refresh.bound", "makes a refresh token for that key and no other", async () => {
      const world = await start();
      await arrangeLogin(world);
      const [key, other] = [await makeClientKey(), await makeClientKey()];
      const { refreshToken } = await logInBound(world, key);
      const refresh = { refreshToken };
      expectEmpty(await anybody(world).post(refreshPath, refresh), 401);
      expectEmpty(await anybody(world, { DPoP: await prove(world, other, refreshPath) }).post(refreshPath, refresh), 401);
      const DPoP = await prove(world, key, refreshPath);
      const answer = expectOk(await anybody(world, { DPoP }).post(refreshPath, refresh));
      expect(claimsOf(answer.textAt("token")).cnf).toEqual({ jkt: key.thumbprint });
      expect(answer.cookies).toEqual([]);
      const replayed = await anybody(world, { DPoP }).post(refreshPath, refresh);
      expectRefusal(replayed, 400, "[invalidDPoPProof]");
    });

    requirement("refresh.bound", "is refused with a wrong proof, and leaves no session behind", async () => {
      const world = await start();
      await arrangeLogin(world);
      const key = await makeClientKey();
      const elsewhere = await prove(world, key, refreshPath);
      expectRefusal(await world.caller.post("/api/login", loginBody(), { DPoP: elsewhere }), 400, "[invalidDPoPProof]");
      expect((await world.identity.jwt.list({ userId: ids.user })).refreshTokens).toEqual([]);
    });
  });

  requirement("refresh.bound", "a refresh token that is not bound makes a bound token when a key is proven", async () => {
    const world = await start();
    await arrangeLogin(world);
    const { refreshToken } = await logIn(world);
    const key = await makeClientKey();
    const DPoP = await prove(world, key, refreshPath);
    const answer = expectOk(await anybody(world, { DPoP }).post(refreshPath, { refreshToken }));
    expect(claimsOf(answer.textAt("token")).cnf).toEqual({ jkt: key.thumbprint });
    expect(claimsOf(expectOk(await anybody(world).post(refreshPath, { refreshToken })).textAt("token"))).not.toHaveProperty(
      "cnf",
    );
  });
});
