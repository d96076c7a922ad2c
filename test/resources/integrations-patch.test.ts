import { describe, expect } from "vitest";
import type { Answer } from "../support/answer.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { allIntegrations, noIntegrations, integrationsPath as path, readStored } from "../support/integrations.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Start, uuid, type World } from "../support/world.js";

async function startWithAll(start: Start): Promise<World> {
  const world = await start();
  expectOk(await world.caller.put(path, { integrations: allIntegrations }));
  return world;
}

forEachStorage((start) => {
  describe("a patch of the integrations", () => {
    requirement("integration.patch", "merges application/json below the wrapper, and null removes", async () => {
      const { caller } = await startWithAll(start);
      const producer = { acks: "all", "max.block.ms": null };
      const patch = { integrations: { broker: { enabled: false, producer }, moderation: { apiKey: null } } };
      const { apiKey: _apiKey, ...moderation } = allIntegrations.moderation;
      const { "max.block.ms": _ms, ...kept } = allIntegrations.broker.producer;
      const expected = { broker: { ...allIntegrations.broker, enabled: false, producer: { ...kept, acks: "all" } }, moderation };
      expect(expectOk(await caller.patch(path, patch)).at("integrations")).toEqual(expected);
      for (const empty of [{}, { integrations: {} }, { integrations: { broker: {}, moderation: {} } }, { surprise: 1 }])
        expect(expectOk(await caller.patch(path, empty)).at("integrations")).toEqual(expected);
      expect((await caller.get(path)).at("integrations")).toEqual(expected);
      expect(expectOk(await caller.patch(path, { integrations: { broker: null } })).at("integrations.broker")).toEqual(
        noIntegrations.broker,
      );
    });

    requirement("integration.wrapper", "takes integration for its wrapper where it is an object", async () => {
      const { caller } = await startWithAll(start);
      const patch = { integration: { broker: { enabled: false } } };
      expect(expectOk(await caller.patch(path, patch)).at("integrations.broker.enabled")).toBe(false);
      const merge = { integration: { broker: { enabled: true } } };
      expect(expectOk(await caller.mergePatch(path, merge)).at("integrations.broker.enabled")).toBe(true);
      const operation = { op: "replace", path: "/integration/broker/enabled", value: false };
      expectRefusal(await caller.jsonPatch(path, [operation]), 400, "[invalidPatch]");
    });

    requirement("integration.patch-replaces", "replaces the applications of moderation in every flavour", async () => {
      const { caller } = await startWithAll(start);
      const at = "integrations.moderation.applicationIds";
      const patch = (applicationIds: readonly string[]): object => ({ integrations: { moderation: { applicationIds } } });
      expect(expectOk(await caller.patch(path, patch([uuid(5), uuid(5)]))).at(at)).toEqual([uuid(5)]);
      expect(expectOk(await caller.mergePatch(path, patch([uuid(6)]))).at(at)).toEqual([uuid(6)]);
      expect(expectOk(await caller.patch(path, patch([]))).at(at)).toEqual([]);
      const add = { op: "add", path: "/integrations/moderation/applicationIds/-", value: uuid(7) };
      expect(expectOk(await caller.jsonPatch(path, [add])).at(at)).toEqual([uuid(7)]);
    });

    requirement("integration.patch", "is a merge patch or a JSON Patch of the wrapper as well", async () => {
      const { caller } = await startWithAll(start);
      const merged = await caller.mergePatch(path, {
        integrations: { broker: { producer: { "sasl.password": null, acks: "1" } } },
      });
      expect(expectOk(merged).at("integrations.broker.producer")).toEqual({
        "bootstrap.servers": "localhost:9092",
        "max.block.ms": "5000",
        "request.timeout.ms": "2000",
        acks: "1",
      });
      const operations = [
        { op: "test", path: "/integrations/broker/producer/bootstrap.servers", value: "localhost:9092" },
        { op: "replace", path: "/integrations/broker/defaultTopic", value: "other" },
        { op: "remove", path: "/integrations/broker/producer/max.block.ms" },
        { op: "copy", from: "/integrations/broker/defaultTopic", path: "/integrations/broker/producer/client.id" },
      ];
      const edited = expectOk(await caller.jsonPatch(path, operations));
      expect(edited.at("integrations.broker")).toMatchObject({ defaultTopic: "other", producer: { "client.id": "other" } });
      expectRefusal(await caller.mergePatch(path, { integrations: null }), 400, "[missing]integrations");
    });

    requirement("integration.no-base", "finds neither id nor instants", async () => {
      const { caller } = await startWithAll(start);
      for (const member of ["id", "insertInstant", "lastUpdateInstant", "sms"])
        for (const operation of [{ op: "remove" }, { op: "copy", from: `/integrations/${member}` }]) {
          const wanted = { path: `/integrations/${member}`, ...operation };
          expectRefusal(await caller.jsonPatch(path, [wanted]), 400, "[invalidPatch]");
        }
      const test = { op: "test", path: "/integrations/moderation/apiKey", value: "guess" };
      const answer = await caller.jsonPatch(path, [test]);
      expectRefusal(answer, 400, "[JSONPatchTestFailed]");
      expect(answer.text).not.toContain("moderation-secret");
    });

    requirement("integration.patch", "is refused like a PUT of its result, and changes nothing then", async () => {
      const { caller } = await startWithAll(start);
      const before = (await caller.get(path)).text;
      const wrong = { integrations: { broker: { defaultTopic: null }, moderation: { url: "ftp://a" } } };
      const codes = ["[blank]integrations.broker.defaultTopic", "[invalid]integrations.moderation.url"];
      expectRefusal(await caller.patch(path, wrong), 400, ...codes);
      expectRefusal(await caller.mergePatch(path, wrong), 400, ...codes);
      const operation = { op: "add", path: "/integrations/broker/producer/key.serializer", value: "x" };
      expectRefusal(await caller.jsonPatch(path, [operation]), 400, "[invalid]integrations.broker.producer");
      expectRefusal(await caller.patch(path), 400, "[missing]integrations");
      expectRefusal(await caller.patch(path, "[]"), 400, "[invalidJSON]");
      expectRefusal(await caller.patch(path, {}, { "content-type": "text/plain" }), 400, "[UnsupportedContentType]");
      const hostile = '{"integrations":{"__proto__":{"a":1}}}';
      expectRefusal(await caller.patch(path, hostile), 400, "[invalid]integrations.__proto__");
      expect((await caller.get(path)).text).toBe(before);
    });

    requirement("integration.patch-together", "survives beside another one of other members", async () => {
      const { caller } = await start();
      const patches = [
        { moderation: { url: "https://a.example.com" } },
        { moderation: { apiKey: "k" } },
        { broker: { defaultTopic: "t" } },
        { broker: { producer: { acks: "1" } } },
        { broker: { producer: { retries: "2" } } },
      ];
      await Promise.all(patches.map(async (integrations) => expectOk(await caller.patch(path, { integrations }))));
      expect((await caller.get(path)).at("integrations")).toEqual({
        broker: { defaultTopic: "t", enabled: false, producer: { acks: "1", retries: "2" } },
        moderation: { apiKey: "k", enabled: false, url: "https://a.example.com", usernameModeration: { enabled: false } },
      });
    });

    requirement("integration.patch", "knows append patches alone before 1.39.0", async () => {
      const { caller } = await start({ version: "1.38.0" });
      expectOk(await caller.patch(path, { integrations: { broker: { defaultTopic: "t" } } }));
      expectRefusal(await caller.mergePatch(path, {}), 400, "[UnsupportedContentType]");
      expectRefusal(await caller.jsonPatch(path, []), 400, "[UnsupportedContentType]");
    });
  });

  describe("the tag of the integrations", () => {
    requirement("integration.etag", "is strong, the same for every call, and another after a change", async () => {
      const { caller } = await start();
      const { etag } = expectOk(await caller.get(path));
      expect(etag).toMatch(/^"[\w-]+"$/);
      expect((await caller.get(path, { "if-none-match": etag })).status).toBe(304);
      const changed = expectOk(await caller.put(path, { integrations: allIntegrations }, { "if-match": etag }));
      expect(changed.etag).not.toBe(etag);
      expect((await caller.get(path)).etag).toBe(changed.etag);
      const patched = expectOk(await caller.patch(path, {}, { "if-match": "*" }));
      expect(patched.etag).toBe((await caller.get(path)).etag);
    });

    requirement("integration.etag", "stops a PUT and every PATCH when it is stale", async () => {
      const { caller } = await start();
      const stale = { "if-match": (await caller.get(path)).etag };
      expectOk(await caller.put(path, { integrations: allIntegrations }));
      const before = (await caller.get(path)).text;
      const answers: Answer[] = [
        await caller.put(path, { integrations: {} }, stale),
        await caller.patch(path, { integrations: { broker: { enabled: false } } }, stale),
        await caller.mergePatch(path, {}, stale),
        await caller.jsonPatch(path, [], stale),
      ];
      for (const answer of answers) expectRefusal(answer, 412, "[preconditionFailed]");
      expect((await caller.get(path)).text).toBe(before);
    });

    requirement("integration.dry-run", "and the record stay as they are in a dry run, which answers what would be", async () => {
      const world = await start();
      const { caller, clock } = world;
      const before = await readStored(world);
      clock.advance(1_000);
      const query = `${path}?dryRun=true`;
      const put = expectOk(await caller.put(query, { integrations: allIntegrations }));
      expect(put.at("integrations")).toEqual(allIntegrations);
      expectOk(await caller.patch(query, { integrations: { broker: { defaultTopic: "t" } } }));
      expectOk(await caller.mergePatch(query, {}));
      expectOk(await caller.jsonPatch(query, []));
      const wrong = { integrations: { moderation: { enabled: true } } };
      expectRefusal(await caller.put(query, wrong), 400, "[blank]integrations.moderation.url");
      expect(await readStored(world)).toEqual(before);
    });
  });
});
