import { randomBytes } from "node:crypto";
import type { IdentityServiceOptions } from "latchkey";
import type { MailMessage, SmsMessage, Storage } from "latchkey/ports";
import { describe, expect } from "vitest";
import { sealedTables, tables } from "../../src/families/index.js";
import { createSealer, sealedLocationOf } from "../../src/security/seal.js";
import { expectOk } from "../support/answer.js";
import { askToken } from "../support/clients.js";
import { allIntegrations, allSms } from "../support/integrations.js";
import { anybody } from "../support/logins.js";
import { Mailbox } from "../support/mails.js";
import { everySecret, plantings } from "../support/planted-secrets.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import {
  bothSecrets,
  codeSecret,
  everyPlace,
  findSealedTexts,
  newSecret,
  offeredUserId,
  plantSecrets,
  readAllButSealed,
  startOn,
} from "../support/sealed-secrets.js";
import { codeAt } from "../support/two-factor.js";
import { storagesOfRules, testSecret, uuid, type World } from "../support/world.js";

const placesOf = async (storage: Storage): Promise<readonly string[]> =>
  [...new Set((await findSealedTexts(storage)).map(({ place }) => place))].sort();

const keyIdsOf = async (storage: Storage): Promise<readonly unknown[]> => [
  ...new Set((await findSealedTexts(storage)).map(({ keyId }) => keyId)),
];

/** The storage with everything in it, and a service that is to rotate. */
async function startToRotate(
  open: () => Storage,
  options: Partial<IdentityServiceOptions> = {},
): Promise<{ readonly storage: Storage; readonly world: World; readonly codes: readonly string[] }> {
  const storage = open();
  const codes = await plantSecrets(storage);
  return { storage, codes, world: await startOn(storage, { secret: bothSecrets, ...options }) };
}

async function expectSecretsShown({ caller }: World): Promise<void> {
  const shown = [];
  for (const [, method, path, , isShown] of plantings)
    if (isShown) shown.push(expectOk(await caller.get(method === "PUT" ? "/api/integration" : path)).text);
  for (const secret of everySecret.filter((one) => /apiKey|webhook|clientSecret/.test(one)))
    expect(shown.join("\n")).toContain(secret);
}

async function expectLogin(world: World, code: string): Promise<void> {
  const begun = await world.caller.post("/api/login", { loginId: "ada@example.com", password: "correct horse" });
  const body = { code, twoFactorId: begun.textAt("twoFactorId") };
  expectOk(await anybody(world).post("/api/two-factor/login", body));
}

describe.each([...storagesOfRules(), ...embeddedPostgres()])("a rotation of secrets on %s", (_name, open) => {
  requirement(["rotation.everything", "rotation.places"], "seals again what every place holds", async () => {
    const { storage, world } = await startToRotate(open);
    expect(await placesOf(storage)).toEqual(everyPlace);
    expect(new Set(everyPlace.map((place) => place.split(" ")[0]))).toEqual(new Set(Object.keys(sealedTables)));
    const [oldKeyId] = await keyIdsOf(storage);
    const count = (await findSealedTexts(storage)).length;
    const result = await world.identity.secrets.rotate();
    expect(result).toMatchObject({ sealed: count, resealed: count, left: 0 });
    expect(Object.keys(result.tables).sort()).toEqual(Object.keys(sealedTables).sort());
    expect(await placesOf(storage)).toEqual(everyPlace);
    expect(await keyIdsOf(storage)).toEqual([expect.not.stringContaining(String(oldKeyId))]);
    expect(await world.identity.secrets.rotate()).toMatchObject({ sealed: count, resealed: 0, left: 0 });
  });

  requirement("rotation.everything", "reseals everything: the new secret suffices", async () => {
    const { codes, storage, world } = await startToRotate(open);
    await world.identity.secrets.rotate();
    await world.identity.close();
    await expect(startOn(storage, { secret: testSecret })).rejects.toThrow("The secret does not open");
    const [mails, texts] = [new Mailbox<MailMessage>(), new Mailbox<SmsMessage>()];
    const next = await startOn(storage, { secret: newSecret, mail: mails.send, sendSms: texts.send });
    await expectSecretsShown(next);
    await next.identity.start();
    expect(await mails.holds(1)).toMatchObject([{ subject: "Welcome", to: { address: "a@example.com" } }]);
    const sent = (await texts.holds(2)).map(({ text }) => text.replace(/\d{6}/, "123456"));
    expect(sent.toSorted()).toEqual(["Hello", "Your verification code is 123456"]);
    next.clock.advance(60_000);
    await expectLogin(next, codeAt(codeSecret, next.clock.instant));
    await expectLogin(next, codes[0] ?? "");
    const entity = expectOk(await next.caller.get(`/api/entity/${uuid(7)}`));
    const client = { clientId: entity.textAt("entity.clientId"), clientSecret: entity.textAt("entity.clientSecret") };
    // Signed by the key that every service has from its first start.
    const token = expectOk(await askToken(next, client)).textAt("access_token");
    expect(await next.identity.verifyToken(token)).toMatchObject({ kind: "client", entityId: uuid(7) });
    expect(expectOk(await next.caller.get(`/api/key/${uuid(5)}`)).at("key.hasPrivateKey")).toBe(true);
  });

  requirement("rotation.everything", "leaves what old versions keep to the new secret too", async () => {
    const { storage, world } = await startToRotate(open);
    await world.identity.secrets.rotate();
    await world.identity.close();
    const texts = new Mailbox<SmsMessage>();
    const next = await startOn(storage, { secret: newSecret, version: "1.25.0", sendSms: texts.send });
    const shown = expectOk(await next.caller.get("/api/integration"));
    expect(shown.at("integrations")).toEqual({ ...allIntegrations, sms: allSms });
    const user = {
      kind: "user",
      userId: offeredUserId,
      tenantId: next.defaultTenantId,
      claims: { auth_time: next.clock.instant / 1_000, exp: 0, sub: offeredUserId },
    } as const;
    await next.identity.as(user).twoFactor.send();
    const code = texts.sent.at(-1)?.code ?? "";
    await next.identity.as(user).twoFactor.enable({ code, delivery: "TextMessage" });
    expect((await next.identity.users.retrieve({ userId: offeredUserId })).user).toMatchObject({ twoFactorEnabled: true });
  });

  requirement("rotation.unnoticed", "changes nothing else of any record, and publishes nothing", async () => {
    const { storage, world } = await startToRotate(open);
    const tag = (await world.caller.get(`/api/webhook/${uuid(3)}`)).headers.etag;
    const before = await readAllButSealed(storage);
    await world.identity.secrets.rotate();
    expect(await readAllButSealed(storage)).toEqual(before);
    expect((await world.caller.get(`/api/webhook/${uuid(3)}`)).headers.etag).toBe(tag);
  });

  requirement("rotation.dry-run", "only counts where that is wanted", async () => {
    const { storage, world } = await startToRotate(open);
    const before = await findSealedTexts(storage);
    const count = before.length;
    expect(await world.identity.secrets.rotate({ dryRun: true })).toMatchObject({ sealed: count, resealed: 0, left: count });
    expect(await findSealedTexts(storage)).toEqual(before);
  });

  requirement(["rotation.progress", "rotation.resume"], "goes on where an earlier one was interrupted", async () => {
    const { storage, world } = await startToRotate(open);
    const total = (await findSealedTexts(storage)).length;
    const told: number[] = [];
    const onProgress = (progress: { readonly resealed: number; readonly total: number }): void => {
      expect(progress.total).toBe(total);
      if (told.push(progress.resealed) === 5) throw new Error("The process ends.");
    };
    await expect(world.identity.secrets.rotate({ batch: 1, onProgress })).rejects.toThrow("The process ends.");
    expect(told).toEqual([...told].sort((a, b) => a - b));
    await world.identity.close();
    // Nothing is lost meanwhile to whoever has both, and the old secret is still asked for.
    await expect(startOn(storage, { secret: newSecret })).rejects.toThrow("identity.secrets.rotate()");
    const next = await startOn(storage, { secret: bothSecrets });
    await expectSecretsShown(next);
    const result = await next.identity.secrets.rotate({ batch: 1 });
    expect(result).toMatchObject({ resealed: total - (told.at(-1) ?? 0), left: 0 });
  });

  requirement("rotation.missing", "names the key of a secret that is missing, and changes nothing", async () => {
    const { storage, world } = await startToRotate(open);
    const [oldKeyId] = await keyIdsOf(storage);
    const between = "a secret in between, with enough characters";
    await world.identity.close();
    const second = await startOn(storage, { secret: [between, testSecret] });
    expectOk(await second.caller.post(`/api/api-key/${uuid(50)}`, { apiKey: { key: "made-in-between" } }));
    await second.identity.close();
    const before = await findSealedTexts(storage);
    const betweenKeyId = before.map(({ keyId }) => keyId).find((keyId) => keyId !== oldKeyId);
    const third = await startOn(storage, { secret: bothSecrets });
    const rotation = third.identity.secrets.rotate();
    await expect(rotation).rejects.toThrow(new RegExp(`Nothing was changed: 1 .*key ids ${betweenKeyId}; .*apiKeys/${uuid(50)}`));
    expect(await findSealedTexts(storage)).toEqual(before);
    await third.identity.close();
    const fourth = await startOn(storage, { secret: [...bothSecrets, between] });
    expect(await fourth.identity.secrets.rotate()).toMatchObject({ left: 0 });
    expect((await fourth.caller.get(`/api/api-key/${uuid(50)}`)).at("apiKey.key")).toBe("made-in-between");
  });

  requirement("rotation.audit", "is recorded in the audit log where changes are", async () => {
    const { world } = await startToRotate(open, { auditChanges: true });
    const { resealed } = await world.identity.secrets.rotate();
    await world.identity.secrets.rotate();
    const { auditLogs } = await world.identity.auditLogs.search({ search: {} });
    expect(auditLogs).toMatchObject([{ insertUser: "host", message: `Sealed ${resealed} secrets again` }]);
  });

  requirement("rotation.options", "refuses a wrong option, and to run inside of a transaction", async () => {
    const { world } = await startToRotate(open);
    const { secrets } = world.identity;
    for (const batch of [0, 1.5, -1, 1_001, Number.NaN]) await expect(secrets.rotate({ batch })).rejects.toThrow(TypeError);
    await expect(world.identity.transaction(() => secrets.rotate())).rejects.toThrow("through its tx");
  });
});

requirement("rotation.places", "nothing is sealed in a table that is not listed, and each that is listed exists", () => {
  const sealer = createSealer([testSecret], randomBytes, sealedTables);
  for (const table of ["groups", "constructor"])
    expect(() => sealer.seal("text", sealedLocationOf(table, uuid(1)))).toThrow(`Nothing is sealed in ${table}.`);
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(sealedTables)));
});
