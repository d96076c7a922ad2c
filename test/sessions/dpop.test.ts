import type { Plan } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { globalScope } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, onTestFinished, vi } from "vitest";
import { usedProofsTable } from "../../src/records/tables.js";
import { removeOldProofs } from "../../src/sessions/tokens/used-proofs.js";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import {
  addProofRoutes,
  bind,
  type ClientKey,
  makeClientKey,
  makeProof,
  makeToken,
  origin,
  presented,
  whoAmI,
} from "../support/dpop.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { bootstrapKey, forEachStorage, startWorld, uuid, type World } from "../support/world.js";

addProofRoutes();

const ask = (world: World, token: string, proof: string, path = whoAmI): Promise<Answer> =>
  world.as("").with(presented(token, proof)).get(path);

/** A client with a key, a token bound to it, and proofs for calls of whoAmI. */
async function meetClient(world: World): Promise<{ key: ClientKey; token: string; proof: (url?: string) => Promise<string> }> {
  const key = await makeClientKey();
  const token = await makeToken(world, key);
  return { key, token, proof: (url = origin + whoAmI) => makeProof(key, { token, url, now: world.clock.now() }) };
}

const countKept = async (world: World): Promise<number> =>
  (await world.storage.find(globalScope, usedProofsTable, undefined)).length;

forEachStorage((start) => {
  describe("a bound token", () => {
    requirement("dpop.accepted", "with a good proof stands for its user, by every algorithm", async () => {
      const world = await start();
      for (const alg of ["ES256", "ES384", "ES512", "EdDSA", "RS256", "PS256"]) {
        const key = await makeClientKey(alg);
        const token = await makeToken(world, key);
        const answer = await ask(world, token, await makeProof(key, { token, now: world.clock.now() }));
        expect(expectOk(answer).at("principal")).toMatchObject({ kind: "user", userId: uuid(1) });
      }
    });

    requirement(
      "dpop.accepted",
      "is accepted with any case of the scheme, and with a query after the URL of the proof",
      async () => {
        const world = await start();
        const { token, proof } = await meetClient(world);
        const headers = { Authorization: `dpop ${token}`, dpop: await proof() };
        expectOk(await world.as("").with(headers).get(`${whoAmI}?a=%2Fb`));
      },
    );

    requirement("dpop.schemes", "is worth nothing as a Bearer or JWT, or as a cookie, with or without its proof", async () => {
      const world = await start();
      const { token, proof } = await meetClient(world);
      for (const scheme of ["Bearer", "JWT", "bearer"]) {
        const bearer = world.as(`${scheme} ${token}`);
        expectEmpty(await bearer.get(whoAmI), 401);
        expectEmpty(await bearer.with({ DPoP: await proof() }).get(whoAmI), 401);
      }
      const cookie = { cookie: `access_token=${token}` };
      expect((await world.identity.inject({ url: whoAmI, headers: cookie })).status).toBe(401);
      expect((await world.identity.inject({ url: whoAmI, headers: { ...cookie, dpop: await proof() } })).status).toBe(401);
      expect(await countKept(world)).toBe(0);
    });

    requirement("dpop.schemes", "has the scheme for itself: what is not bound counts as Bearer alone", async () => {
      const world = await start();
      const key = await makeClientKey();
      const token = await makeToken(world);
      expectOk(await world.as(`Bearer ${token}`).get(whoAmI));
      const proof = (): Promise<string> => makeProof(key, { token, now: world.clock.now() });
      expectEmpty(await ask(world, token, await proof()), 401);
      expectEmpty(await ask(world, bootstrapKey, await proof()), 401);
      // Whoever holds a token that is not bound may prove what it likes.
      expectOk(
        await world
          .as(`Bearer ${token}`)
          .with({ DPoP: await proof() })
          .get(whoAmI),
      );
    });

    requirement("dpop.proof", "that is wrong itself is 401, however good its proof is", async () => {
      const world = await start();
      const key = await makeClientKey();
      const now = world.clock.now();
      for (const claims of [{ exp: now / 1_000 }, { cnf: { jkt: 1 } }, { cnf: "x" }, { cnf: { "x5t#S256": "x" } }]) {
        const token = await makeToken(world, key, claims);
        expectEmpty(await ask(world, token, await makeProof(key, { token, now })), 401);
      }
      expect(await countKept(world)).toBe(0);
    });
  });

  describe("a proof", () => {
    requirement("dpop.once", "counts once, for its method and its URL", async () => {
      const world = await start();
      const { key, token, proof } = await meetClient(world);
      const used = await proof();
      expectOk(await ask(world, token, used));
      expectEmpty(await ask(world, token, used), 401);
      world.clock.advance(59_000);
      expectEmpty(await ask(world, token, used), 401);
      const posted = await makeProof(key, { method: "POST", token, now: world.clock.now() });
      expectEmpty(await ask(world, token, posted), 401);
      expectEmpty(
        await world
          .as("")
          .with(presented(token, await proof()))
          .send("HEAD", whoAmI),
        401,
      );
      const headed = await makeProof(key, { method: "HEAD", token, now: world.clock.now() });
      expect((await world.as("").with(presented(token, headed)).send("HEAD", whoAmI)).status).toBe(200);
      expectEmpty(await ask(world, token, await proof(), `${whoAmI}/x`), 401);
      expectOk(await world.as("").with(presented(token, posted)).post(whoAmI));
      expectOk(await ask(world, token, await proof(`${origin}${whoAmI}/x`), `${whoAmI}/x`));
    });

    requirement("dpop.once", "of one key does not stand in the way of another key's with the same jti", async () => {
      const world = await start();
      for (const key of [await makeClientKey(), await makeClientKey()]) {
        const token = await makeToken(world, key);
        const proof = (): Promise<string> => makeProof(key, { token, now: world.clock.now() }, { claims: { jti: "1" } });
        expectOk(await ask(world, token, await proof()));
        // Signed again it is another text, and the same proof.
        expectEmpty(await ask(world, token, await proof()), 401);
      }
    });

    requirement("dpop.once", "that comes fifty times at once counts once", async () => {
      const world = await start();
      const { token, proof } = await meetClient(world);
      const one = await proof();
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(world, token, one)));
      const statuses = answers.map(({ status }) => status);
      expect([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 401).length]).toEqual([
        1, 49,
      ]);
      expect(world.log).toEqual([]);
    });

    requirement("dpop.once", "is used up by a call that its user may not make", async () => {
      const world = await start();
      const { token, proof } = await meetClient(world);
      const path = "/api/group";
      expectEmpty(await ask(world, token, await proof(origin + path), path), 401);
      expect(await countKept(world)).toBe(1);
    });

    requirement("dpop.kept", "is forgotten when it could not be used any more", async () => {
      const world = await start();
      const { key, token } = await meetClient(world);
      const early = await makeProof(key, { token, now: world.clock.now() + 60_000 });
      expectOk(await ask(world, token, early));
      world.clock.advance(120_000);
      await removeOldProofs(world.storage, world.clock.now());
      expectEmpty(await ask(world, token, early), 401);
      world.clock.advance(61_000);
      await removeOldProofs(world.storage, world.clock.now());
      expect(await countKept(world)).toBe(0);
      expectEmpty(await ask(world, token, early), 401);
    });

    requirement("dpop.kept", "is removed in the background, without anybody asking", async () => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      onTestFinished(() => void vi.useRealTimers());
      const world = await start();
      const { token, proof } = await meetClient(world);
      expectOk(await ask(world, token, await proof()));
      vi.advanceTimersByTime(10_000);
      expect(await countKept(world)).toBe(1);
      world.clock.advance(180_001);
      vi.advanceTimersByTime(10_000);
      await expect.poll(() => countKept(world)).toBe(0);
    });

    requirement("dpop.kept", "is stored as a digest, and nowhere else", async () => {
      const world = await start();
      const { key, token } = await meetClient(world);
      const jti = "a-jti-that-would-be-seen";
      expectOk(await ask(world, token, await makeProof(key, { token, now: world.clock.now() }, { claims: { jti } })));
      const kept = JSON.stringify(await world.storage.find(globalScope, usedProofsTable, undefined));
      for (const secret of [jti, key.thumbprint, token]) expect(kept).not.toContain(secret);
    });
  });

  describe("a call that asks for a token", () => {
    const post = (world: World, dpop: string): Promise<Answer> => world.as("").with({ DPoP: dpop }).post(bind);
    const prove = (world: World, key: ClientKey, claims = {}): Promise<string> =>
      makeProof(key, { method: "POST", url: origin + bind, now: world.clock.now() }, { claims });

    requirement("dpop.binding", "binds it to the key that it proves to hold", async () => {
      const world = await start();
      const key = await makeClientKey();
      expect(expectOk(await post(world, await prove(world, key))).body).toEqual({ binding: { jkt: key.thumbprint } });
      expect(expectOk(await world.as("").post(bind)).body).toEqual({});
    });

    requirement("dpop.binding", "is refused with a proof that is wrong or was used", async () => {
      const world = await start();
      const key = await makeClientKey();
      const used = await prove(world, key);
      expectOk(await post(world, used));
      expectRefusal(await post(world, used), 400, "[invalidDPoPProof]");
      for (const claims of [{ htm: "GET" }, { htu: origin + whoAmI }, { iat: 0 }])
        expectRefusal(await post(world, await prove(world, key, claims)), 400, "[invalidDPoPProof]");
      for (const text of ["", "x", `${await prove(world, key)},`])
        expectRefusal(await post(world, text), 400, "[invalidDPoPProof]");
      expect(await countKept(world)).toBe(1);
    });

    requirement("dpop.version", "knows no proofs before 1.63.0", async () => {
      for (const [version, isKnown] of [
        ["1.62.0", false],
        ["1.63.0", true],
      ] as const) {
        const world = await start({ version });
        const { key, token, proof } = await meetClient(world);
        expect(expectOk(await post(world, await prove(world, key))).at("binding")).toEqual(
          isKnown ? { jkt: key.thumbprint } : undefined,
        );
        expect((await ask(world, token, await proof())).status).toBe(isKnown ? 200 : 401);
        expectEmpty(await world.as(`Bearer ${token}`).get(whoAmI), 401);
      }
    });

    requirement("dpop.plan", "may prove nothing where the plan does not include it", async () => {
      for (const plan of ["community", "starter", "essentials"] satisfies Plan[]) {
        const world = await start({ plan });
        const { key, token, proof } = await meetClient(world);
        expectRefusal(await post(world, await prove(world, key)), 400, "[notLicensed]DPoP");
        expectOk(await world.as("").post(bind));
        expectEmpty(await ask(world, token, await proof()), 401);
        expect(await countKept(world)).toBe(0);
      }
    });
  });
});

requirement("dpop.once", "one proof counts once in two services on one file", async () => {
  const filename = `${makeDirectory()}/identity.db`;
  const one = await startWorld(sqliteStorage({ filename }));
  const two = await startWorld(sqliteStorage({ filename }));
  const { token, proof } = await meetClient(one);
  for (let round = 0; round < 5; round++) {
    const dpop = await proof();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(index % 2 === 0 ? one : two, token, dpop)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
  }
});

requirement("dpop.once", "nobody is let in while the storage cannot say whether a proof was used", async () => {
  const world = await startWorld(memoryStorage());
  const { token, proof } = await meetClient(world);
  expectOk(await ask(world, token, await proof()));
  await world.storage.close();
  expect((await ask(world, token, await proof())).status).toBe(503);
});
