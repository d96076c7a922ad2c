// What one process changes about keys and their names, others on the same storage know within a second.
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished, vi } from "vitest";
import { defaultSigningKeyId } from "../../src/records/keys/family.js";
import { expectEmpty, expectOk } from "../support/answer.js";
import { nameForTokens } from "../support/keys.js";
import { mintTokens } from "../support/minted-tokens.js";
import { pair, validate } from "../support/named-keys.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { makeScene } from "../support/token-places.js";
import { startWorld, uuid } from "../support/world.js";

requirement(["token.key-named", "token.issuer", "token.key-removed"], "others follow within a second", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const filename = `${makeDirectory()}/identity.db`;
  const here = await startWorld(sqliteStorage({ filename }));
  const there = await startWorld(sqliteStorage({ filename }));
  const scene = await makeScene(here);
  const sign = await pair.import(here, uuid(70_000));
  const [user] = await mintTokens(scene, sign, scene);
  const iat = here.clock.instant / 1_000;
  const claims = { iat, exp: iat + 600, sub: scene.userId, tid: scene.tenantId, tty: "at" };
  const renamed = await sign({}, { ...claims, iss: "https://one.example" });
  const statuses = async (): Promise<readonly number[]> => {
    const at = async (token: string): Promise<number> => {
      const own = (await validate(here, token)).status;
      vi.advanceTimersByTime(1_000);
      expect((await validate(there, token)).status).toBe(own);
      return own;
    };
    return [await at(user?.token ?? ""), await at(renamed)];
  };
  expect(await statuses()).toEqual([401, 401]);
  await nameForTokens(here.caller, scene.tenantId, uuid(70_000));
  expect(await statuses()).toEqual([200, 401]);
  expectOk(await here.caller.patch(`/api/tenant/${scene.tenantId}`, { tenant: { issuer: "https://one.example" } }));
  expect(await statuses()).toEqual([200, 200]);
  expectEmpty(await here.caller.delete(`/api/application/${scene.applicationId}?hardDelete=true`), 200);
  expect(await statuses()).toEqual([401, 200]);
  await nameForTokens(here.caller, scene.tenantId, defaultSigningKeyId);
  expect(await statuses()).toEqual([401, 200]);
  expectEmpty(await here.caller.delete(`/api/key/${uuid(70_000)}`), 200);
  expect(await statuses()).toEqual([401, 401]);
});
