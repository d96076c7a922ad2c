import { describe, expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { makeGroup } from "../support/families.js";
import { anybody, arrangeLogin, ids, logIn, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { codeAt, secret } from "../support/two-factor.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, readEvents, uuid } from "../support/world.js";

const eventsEnabled = { "group.create": true, "group.update": true };

forEachStorage((start) => {
  describe("the actor of an event", () => {
    requirement("event.actor", "is the key or the host that caused it", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { storage } = world;
      const own = await world.identity.apiKeys.create({ keyId: uuid(3), apiKey: { key: "a-key-of-the-tests-of-actors" } });
      const agent = { "user-agent": "curl/9" };
      expectOk(
        await world
          .as("a-key-of-the-tests-of-actors")
          .with(agent)
          .post("/api/group", { group: { name: "A" } }),
      );
      const [byKey] = await readEvents(storage, "group.create");
      expect(byKey).toMatchObject({ actor: { type: "apiKey", id: own.apiKey.id }, info: { userAgent: "curl/9" } });
      await world.identity.groups.create({ group: { name: "B" } });
      const byHost = (await readEvents(storage, "group.create")).find(({ actor }) => actor?.type === "host");
      expect([byHost?.actor, byHost?.info]).toEqual([{ type: "host" }, undefined]);
    });

    requirement("event.actor", "is nobody for who logs in without a credential, and the user with a token", async () => {
      const world = await start();
      const loginConfiguration = { allowTokenRefresh: true, generateRefreshTokens: true, requireAuthentication: false };
      await arrangeLogin(world, { application: { loginConfiguration } });
      expectOk(await anybody(world).post("/api/login", loginBody()));
      const [login] = await readEvents(world.storage, "user.login.success");
      expect(login).not.toHaveProperty("actor");
      const user = world.as(`Bearer ${(await logIn(world)).token}`);
      const code = codeAt(secret, world.clock.instant);
      expectOk(await user.post("/api/user/two-factor", { code, method: "authenticator", secret }));
      const [added] = await readEvents(world.storage, "user.two-factor.method.add");
      expect(added?.actor).toEqual({ type: "user", id: ids.user });
    });
  });

  describe("a webhook that excludes actors", () => {
    requirement("event.exclude-actors", "gets the events of all others, and none of theirs", async () => {
      const world = await start({ allowPrivateNetwork: true });
      await world.identity.apiKeys.create({ keyId: uuid(3), apiKey: { key: "a-key-of-the-tests-of-actors" } });
      const sink = await startSink();
      const excludeActors = [uuid(3), uuid(3)];
      const id = await makeWebhook(world, { url: sink.url, global: true, eventsEnabled, excludeActors });
      const shown = expectOk(await world.caller.get(`/api/webhook/${id}`));
      expect(shown.at("webhook.excludeActors")).toEqual([uuid(3)]);
      const groupId = await makeGroup(world, world.defaultTenantId, "A");
      const path = `/api/group/${groupId}`;
      expectOk(await world.as("a-key-of-the-tests-of-actors").patch(path, { group: { name: "B" } }));
      expectOk(await world.caller.patch(path, { group: { name: "C" } }));
      await world.identity.start();
      await expect.poll(async () => (await readEvents(world.storage)).length, { timeout: 10_000 }).toBe(0);
      await expect.poll(() => sink.received.length, { timeout: 10_000 }).toBe(2);
      const names = sink.received.map(({ body }) => JSON.parse(body).event.group.name);
      expect(names.sort()).toEqual(["A", "C"]);
    });
  });
});
