import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { allIntegrations, noIntegrations, integrationsPath as path, readStored } from "../support/integrations.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { callerOfTenant, forEachStorage, startWorld, uuid } from "../support/world.js";

forEachStorage((start) => {
  describe("the integrations", () => {
    requirement(["integration.defaults", "integration.no-base"], "are there from the start, none of them enabled", async () => {
      const { caller } = await start();
      const answer = expectOk(await caller.get(path));
      expect(answer.body).toEqual({ integrations: noIntegrations });
      expect(answer.text).toBe(JSON.stringify({ integrations: noIntegrations }));
      expect(expectOk(await caller.put(path, { integrations: {} })).text).toBe(answer.text);
      expectOk(await caller.get(`${path}/?integrationsId=x`));
    });

    requirement(["integration.update", "integration.no-base"], "are replaced by PUT, with every field", async () => {
      const world = await start();
      const { caller } = world;
      const wanted = { ...allIntegrations, id: uuid(9), insertInstant: 1, surprise: {} };
      const answer = expectOk(await caller.put(path, { integrations: wanted }));
      expect(answer.body).toEqual({ integrations: allIntegrations });
      expect((await caller.get(path)).text).toBe(answer.text);
      const { broker } = allIntegrations;
      expect(expectOk(await caller.put(path, { integrations: { broker } })).at("integrations")).toEqual({
        ...noIntegrations,
        broker,
      });
      expect(expectOk(await caller.put(path, { integrations: {} })).at("integrations")).toEqual(noIntegrations);
      expect(await readStored(world)).toHaveLength(1);
    });

    requirement("integration.missing", "are refused without their wrapper, or with a wrong one", async () => {
      const { caller } = await start();
      for (const body of [undefined, {}, { integrations: null }, { moderation: {} }])
        expectRefusal(await caller.put(path, body), 400, "[missing]integrations");
      for (const wrong of ["text", 1, true, []])
        expectRefusal(await caller.put(path, { integrations: wrong }), 400, "[invalidJSON]integrations");
      const types = { moderation: { enabled: "yes", apiKey: 7 }, broker: { producer: { "client.id": 7 } } };
      expectRefusal(
        await caller.put(path, { integrations: types }),
        400,
        "[invalidJSON]integrations.moderation.enabled",
        "[invalidJSON]integrations.moderation.apiKey",
        "[invalidJSON]integrations.broker.producer[client.id]",
      );
    });

    requirement("integration.wrapper", "come in integration as well, and go out in integrations", async () => {
      const { caller } = await start();
      const answer = expectOk(await caller.put(path, { integration: allIntegrations }));
      expect(answer.body).toEqual({ integrations: allIntegrations });
      const both = { integrations: {}, integration: allIntegrations };
      expect(expectOk(await caller.put(path, both)).at("integrations")).toEqual(noIntegrations);
      const wrong = { integration: { broker: { enabled: true } } };
      const codes = ["[blank]integrations.broker.defaultTopic", "[empty]integrations.broker.producer"];
      expectRefusal(await caller.put(path, wrong), 400, ...codes);
    });

    requirement("integration.moderation-required", "need a url and an application for usernames", async () => {
      const { caller } = await start();
      for (const url of [undefined, null, "", " "])
        expectRefusal(
          await caller.put(path, { integrations: { moderation: { enabled: true, url } } }),
          400,
          "[blank]integrations.moderation.url",
        );
      const usernameModeration = { enabled: true };
      expectRefusal(
        await caller.put(path, { integrations: { moderation: { enabled: true, usernameModeration } } }),
        400,
        "[blank]integrations.moderation.url",
        "[missing]integrations.moderation.usernameModeration.applicationId",
      );
      const url = "https://example.com";
      expectOk(await caller.put(path, { integrations: { moderation: { enabled: true, url } } }));
      const malformed = { moderation: { usernameModeration: { applicationId: "x" } } };
      const code = "[couldNotConvert]integrations.moderation.usernameModeration.applicationId";
      expectRefusal(await caller.put(path, { integrations: malformed }), 400, code);
    });

    requirement("integration.moderation-required", "report missing members along with those of the wrong type", async () => {
      const { caller } = await start();
      const integrations = { moderation: { enabled: true, apiKey: 7 }, broker: { enabled: true, producer: [] } };
      expectRefusal(
        await caller.put(path, { integrations }),
        400,
        "[invalidJSON]integrations.moderation.apiKey",
        "[blank]integrations.moderation.url",
        "[invalidJSON]integrations.broker.producer",
        "[blank]integrations.broker.defaultTopic",
      );
    });

    requirement("integration.broker-required", "need a topic and settings for the broker", async () => {
      const { caller } = await start();
      const producer = { "bootstrap.servers": "a:9092" };
      const put = (broker: object) => caller.put(path, { integrations: { broker } });
      for (const defaultTopic of [undefined, null, "", " "])
        expectRefusal(await put({ enabled: true, producer, defaultTopic }), 400, "[blank]integrations.broker.defaultTopic");
      for (const settings of [undefined, null, {}, { "client.id": null }])
        expectRefusal(
          await put({ enabled: true, defaultTopic: "t", producer: settings }),
          400,
          "[empty]integrations.broker.producer",
        );
      expectOk(await put({ enabled: true, defaultTopic: "t", producer }));
      expectOk(await put({ enabled: false, defaultTopic: "" }));
    });

    requirement("integration.producer", "take the producer's settings from a list", async () => {
      const { caller } = await start();
      const put = (producer: object) => caller.put(path, { integrations: { broker: { producer } } });
      const forbidden = [
        "key.serializer",
        "ssl.keystore.location",
        "sasl.login.class",
        "config.providers",
        "unknown",
        "ACKS",
        "",
      ];
      for (const name of forbidden) {
        const answer = await put({ acks: "all", [name]: "x" });
        expectRefusal(answer, 400, "[invalid]integrations.broker.producer");
        expect(answer.text).toContain(`the settings that it may have: “${name}”.`);
      }
      const many = await put(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`.repeat(100), "secret"])));
      expectRefusal(many, 400, "[invalid]integrations.broker.producer");
      expect(many.text.length).toBeLessThan(2_000);
      expect(many.text).not.toContain("secret");
    });

    requirement("integration.topic", "take a topic that brokers know", async () => {
      const { caller } = await start();
      const put = (defaultTopic: string) => caller.put(path, { integrations: { broker: { defaultTopic } } });
      for (const topic of ["a", "Identity_events-1.x", "t".repeat(249), "..."]) expectOk(await put(topic));
      for (const topic of ["a b", "a/b", ".", "..", "t".repeat(250), "ü", "a\n", "a,b"])
        expectRefusal(await put(topic), 400, "[invalid]integrations.broker.defaultTopic");
    });

    requirement("integration.urls", "take URLs of services, with http or https and without user info", async () => {
      const { caller } = await start();
      const put = (url: string) => caller.put(path, { integrations: { moderation: { enabled: true, url } } });
      for (const url of ["http://a", "https://a.example.com:8443/base?x=1", "HTTPS://[::1]/", "http://ü.example"])
        expect(expectOk(await put(url)).at("integrations.moderation.url")).toBe(url);
      for (const url of ["a", "//a", "ftp://a", "file:///etc/passwd", "javascript:x", "https://", "https://u@a", "https://:p@a"])
        expectRefusal(await put(url), 400, "[invalid]integrations.moderation.url");
      for (const url of [" https://a", "https://a\n", "https:\\\\a", "https://a/\tb", "https://a:99999", "https://%00"])
        expectRefusal(await put(url), 400, "[invalid]integrations.moderation.url");
    });

    requirement("integration.global", "are out of reach for a tenant's key and with a tenant header", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      const bound = await callerOfTenant(world, defaultTenantId);
      for (const stranger of [bound, bound.inTenant(defaultTenantId), caller.inTenant(defaultTenantId)]) {
        expectEmpty(await stranger.get(path), 401);
        expectEmpty(await stranger.put(path, { integrations: allIntegrations }), 401);
        expectEmpty(await stranger.patch(path, { integrations: allIntegrations }), 401);
      }
      expectEmpty(await caller.with({ Authorization: "no-key" }).get(path), 401);
      for (const method of ["POST", "DELETE", "OPTIONS"]) expectEmpty(await caller.send(method, path), 405);
      expect((await caller.send("HEAD", path)).headers.etag).toBe((await caller.get(path)).etag);
      expect((await caller.get(path)).at("integrations")).toEqual(noIntegrations);
    });

    requirement("integration.global", "are reached by a key with a grant for them", async () => {
      const { identity, as } = await start();
      const permissions = { endpoints: { "/api/integration": ["GET" as const] } };
      await identity.apiKeys.create({ apiKey: { key: "reader", permissions } });
      expectOk(await as("reader").get(path));
      expectEmpty(await as("reader").put(path, { integrations: {} }), 401);
    });

    requirement("integration.in-process", "are served in process", async () => {
      const { identity } = await start();
      expect(await identity.integrations.retrieve()).toEqual({ integrations: noIntegrations });
      const { integrations } = await identity.integrations.update({ integrations: allIntegrations });
      expect(integrations).toEqual(allIntegrations);
      const patch = { integrations: { broker: { enabled: false } } };
      const patched = await identity.integrations.patch({ patch, mode: "merge" });
      expect(patched.integrations.broker).toEqual({ ...allIntegrations.broker, enabled: false });
      const wrong = identity.integrations.update({ integrations: { moderation: { enabled: true } } });
      await expect(wrong).rejects.toMatchObject({ code: "[blank]integrations.moderation.url" });
    });
  });
});

describe("on a SQLite file", () => {
  requirement("integration.restart", "the integrations are found again at the next start", async () => {
    const filename = `${makeDirectory()}/identity.db`;
    const first = await startWorld(sqliteStorage({ filename }));
    const before = expectOk(await first.caller.put(path, { integrations: allIntegrations }));
    await first.identity.close();
    const second = await startWorld(sqliteStorage({ filename }));
    const after = expectOk(await second.caller.get(path));
    expect({ text: after.text, etag: after.etag }).toEqual({ text: before.text, etag: before.etag });
    expect(await readStored(second)).toHaveLength(1);
  });
});
