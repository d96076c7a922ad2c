import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { allIntegrations, allSms, noIntegrations, integrationsPath as path, readStored } from "../support/integrations.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { forEachStorage, startWorld, testSecret, uuid } from "../support/world.js";

const names = { moderation: "sieve", broker: "river", sms: "pigeon" };
const { broker, moderation } = allIntegrations;
const secrets = /moderation-secret|producer-secret|sms-secret|localhost:9092/;

forEachStorage((start) => {
  describe("the integrations of a host with words of its own", () => {
    requirement("integration.names", "come and go under its words", async () => {
      const { caller } = await start({ names });
      expect((await caller.get(path)).body).toEqual({
        integrations: { river: noIntegrations.broker, sieve: noIntegrations.moderation },
      });
      const answer = expectOk(await caller.put(path, { integrations: { river: broker, sieve: moderation } }));
      expect(answer.text).toBe(JSON.stringify({ integrations: { river: broker, sieve: moderation } }));
      expect((await caller.get(path)).text).toBe(answer.text);
    });

    requirement("integration.names", "are not known under ours", async () => {
      const { caller } = await start({ names });
      const answer = expectOk(await caller.put(path, { integrations: { broker, moderation } }));
      expect(answer.at("integrations")).toEqual({ river: noIntegrations.broker, sieve: noIntegrations.moderation });
    });

    requirement("integration.names", "have its words in the paths of errors", async () => {
      const { caller } = await start({ names, version: "1.25.0" });
      const integrations = {
        river: { enabled: true, producer: { "key.serializer": "x" } },
        sieve: { enabled: true, usernameModeration: { enabled: true, applicationId: "x" } },
        pigeon: { enabled: true, url: "ftp://a" },
      };
      const answer = await caller.put(path, { integrations });
      expectRefusal(
        answer,
        400,
        "[blank]integrations.river.defaultTopic",
        "[invalid]integrations.river.producer",
        "[blank]integrations.sieve.url",
        "[couldNotConvert]integrations.sieve.usernameModeration.applicationId",
        "[blank]integrations.pigeon.accountSID",
        "[blank]integrations.pigeon.authToken",
        "[blank]integrations.pigeon.fromPhoneNumber",
        "[invalid]integrations.pigeon.url",
      );
      expect(answer.text).not.toMatch(/moderation|broker|sms/);
    });

    requirement("integration.names", "are patched under its words, in every flavour", async () => {
      const { caller } = await start({ names });
      expectOk(await caller.put(path, { integrations: { river: broker, sieve: moderation } }));
      const applicationIds = [uuid(8)];
      const appended = await caller.patch(path, { integration: { sieve: { applicationIds }, moderation: { enabled: false } } });
      expect(expectOk(appended).at("integrations.sieve")).toEqual({ ...moderation, applicationIds });
      const merged = await caller.mergePatch(path, { integrations: { river: { defaultTopic: "t" } } });
      expect(expectOk(merged).at("integrations.river")).toEqual({ ...broker, defaultTopic: "t" });
      const edited = await caller.jsonPatch(path, [{ op: "replace", path: "/integrations/river/enabled", value: false }]);
      expect(expectOk(edited).at("integrations.river.enabled")).toBe(false);
      const ours = await caller.jsonPatch(path, [{ op: "replace", path: "/integrations/broker/enabled", value: true }]);
      expectRefusal(ours, 400, "[invalidPatch]");
      const wrong = await caller.patch(path, { integrations: { sieve: { url: null } } });
      expectRefusal(wrong, 400, "[blank]integrations.sieve.url");
      const key = await caller.jsonPatch(path, [{ op: "add", path: "/integrations/river/__proto__", value: 1 }]);
      expectRefusal(key, 400, "[invalid]integrations.river.__proto__");
    });

    requirement("integration.names", "may have our words for each other", async () => {
      const { caller } = await start({ names: { moderation: "broker", broker: "moderation" } });
      const swapped = { broker: moderation, moderation: broker };
      expect(expectOk(await caller.put(path, { integrations: swapped })).body).toEqual({ integrations: swapped });
      const patched = await caller.patch(path, { integrations: { moderation: { defaultTopic: "t" } } });
      expect(expectOk(patched).at("integrations.moderation.defaultTopic")).toBe("t");
    });
  });

  describe("sms", () => {
    const old = { version: "1.25.0" };

    requirement("integration.sms-version", "is there before 1.26.0", async () => {
      const { caller } = await start(old);
      const none = { enabled: false, url: "https://api.sms.com" };
      expect((await caller.get(path)).body).toEqual({ integrations: { ...noIntegrations, sms: none } });
      const answer = expectOk(await caller.put(path, { integrations: { ...allIntegrations, sms: allSms } }));
      expect(answer.body).toEqual({ integrations: { ...allIntegrations, sms: allSms } });
      const patched = expectOk(await caller.patch(path, { integrations: { sms: { messagingServiceSid: null } } }));
      expect(patched.text).not.toContain("messagingServiceSid");
      expect(patched.at("integrations.sms.fromPhoneNumber")).toBe(allSms.fromPhoneNumber);
    });

    requirement("integration.sms-version", "is an unknown property from 1.26.0 on", async () => {
      for (const version of ["1.26.0", "1.65.0"]) {
        const { caller } = await start({ version });
        const wrong = { sms: { enabled: true, url: 7 } };
        expect(expectOk(await caller.put(path, { integrations: wrong })).body).toEqual({ integrations: noIntegrations });
        expect(expectOk(await caller.patch(path, { integrations: wrong })).body).toEqual({ integrations: noIntegrations });
      }
    });

    requirement("integration.sms-url", "goes to its service, as the host calls it, when nothing is said", async () => {
      const { caller } = await start({ ...old, names });
      expect((await caller.get(path)).at("integrations.pigeon.url")).toBe("https://api.pigeon.com");
      const answer = await caller.put(path, { integrations: { pigeon: { url: "https://other.example.com" } } });
      expect(expectOk(answer).at("integrations.pigeon.url")).toBe("https://other.example.com");
    });

    requirement("integration.sms-required", "needs an account, a token and a sender when enabled", async () => {
      const { caller } = await start(old);
      const put = (sms: object) => caller.put(path, { integrations: { sms: { enabled: true, ...sms } } });
      const codes = ["accountSID", "authToken", "fromPhoneNumber"].map((field) => `[blank]integrations.sms.${field}`);
      for (const value of [undefined, null, "", " "])
        expectRefusal(await put({ accountSID: value, authToken: value, fromPhoneNumber: value }), 400, ...codes);
      const account = { accountSID: "a", authToken: "t" };
      expectRefusal(await put(account), 400, codes[2] ?? "");
      expectOk(await put({ ...account, fromPhoneNumber: "+1" }));
      expectOk(await put({ ...account, messagingServiceSid: "m" }));
    });
  });

  describe("the secrets of the integrations", () => {
    requirement("integration.secrets", "are sealed in storage, and shown to the global key", async () => {
      const world = await start({ version: "1.25.0" });
      const { caller } = world;
      expectOk(await caller.put(path, { integrations: { ...allIntegrations, sms: allSms } }));
      expectOk(await caller.patch(path, { integrations: { broker: { producer: { acks: "all" } } } }));
      const stored = JSON.stringify(await readStored(world));
      expect(stored).not.toMatch(secrets);
      expect(stored).toContain("identity.events");
      const shown = (await caller.get(path)).text;
      for (const secret of ["moderation-secret", "producer-secret", "sms-secret", "localhost:9092"])
        expect(shown).toContain(secret);
      expect(JSON.stringify(world.log)).not.toMatch(secrets);
    });
  });
});

describe("on a SQLite file", () => {
  requirement("integration.restart", "secrets are opened by a new secret beside the old one", async () => {
    const filename = `${makeDirectory()}/identity.db`;
    const first = await startWorld(sqliteStorage({ filename }));
    expectOk(await first.caller.put(path, { integrations: allIntegrations }));
    await first.identity.close();
    const next = "another secret of the tests with enough characters";
    const second = await startWorld(sqliteStorage({ filename }), { secret: [next, testSecret] });
    expect((await second.caller.get(path)).at("integrations")).toEqual(allIntegrations);
  });

  requirement("integration.names", "words can be changed between two starts", async () => {
    const filename = `${makeDirectory()}/identity.db`;
    const first = await startWorld(sqliteStorage({ filename }));
    expectOk(await first.caller.put(path, { integrations: allIntegrations }));
    await first.identity.close();
    const second = await startWorld(sqliteStorage({ filename }), { names });
    expect((await second.caller.get(path)).at("integrations")).toEqual({ river: broker, sieve: moderation });
  });

  requirement("integration.names", "words that are the same are refused", async () => {
    const start = createIdentityService({ storage: memoryStorage(), names: { broker: "x", sms: "x" } });
    await expect(start).rejects.toThrow("names.moderation, names.broker and names.sms must differ.");
  });
});
