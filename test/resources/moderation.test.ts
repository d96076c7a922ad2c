import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication } from "../support/families.js";
import { action, configure, type ModeratedWorld, startModerated } from "../support/moderation.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

const path = "/api/user";
const userPath = `${path}/${uuid(5)}`;
const rejected = "[moderationRejected]user.username";

const post = ({ caller }: World, username: string) => caller.post(userPath, { user: { username } });
const patch = ({ caller }: World, user: object, query = "") => caller.patch(`${userPath}${query}`, { user });
const stateOf = async ({ caller }: World) => {
  const user = expectOk(await caller.get(userPath)).at("user") as Record<string, unknown>;
  return [user.username, user.usernameStatus];
};
const contentOf = ({ moderation }: ModeratedWorld, position: number) =>
  JSON.parse(moderation.received[position]?.body ?? "{}").content;

forEachStorage((start) => {
  describe("the moderation of usernames", () => {
    requirement("moderation.call", "is asked about a new one, and about the next by the same id", async () => {
      const world = await startModerated(start);
      const made = expectOk(await post(world, "ada"));
      const moderationId = made.textAt("user.moderationId");
      const [first] = world.moderation.received;
      expect([first?.method, first?.url]).toEqual(["POST", `/base/content/item/moderate/${moderationId}`]);
      expect(first?.headers).toMatchObject({
        authorization: "key of the tests",
        "content-type": "application/json; charset=utf-8",
      });
      expect(contentOf(world, 0)).toEqual({
        applicationId: uuid(1),
        createInstant: world.clock.instant,
        parts: [{ content: "ada", name: "username", type: "text" }],
        senderDisplayName: "ada",
        senderId: uuid(5),
      });
      const changed = expectOk(await patch(world, { username: "ada2" }));
      expect(changed.at("user.moderationId")).toBe(moderationId);
      expect(world.moderation.received.map(({ method }) => method)).toEqual(["POST", "PUT"]);
      expect(world.moderation.received[1]?.url).toBe(first?.url);
    });

    requirement("moderation.actions", "lets it be, replaces it, has it wait or refuses it", async () => {
      const world = await startModerated(start);
      expectOk(await post(world, "first"));
      for (const [answer, username, state] of [
        [action("allow"), "a", ["a", "ACTIVE"]],
        [action("queuedForApproval"), "b", ["b", "PENDING"]],
        [action("replace", " c** "), "ccc", ["c**", "ACTIVE"]],
        [action("authorOnly"), "d", ["d", "PENDING"]],
      ] as const) {
        world.answer = answer;
        const changed = expectOk(await patch(world, { username }));
        expect([changed.at("user.username"), changed.at("user.usernameStatus")]).toEqual(state);
        expect(await stateOf(world)).toEqual(state);
        expect(changed.at("user.uniqueUsername")).toBe(state[0]);
      }
      for (const answer of [action("reject"), action("replace"), action("replace", "  "), action("replace", "x".repeat(192))]) {
        world.answer = answer;
        expectRefusal(await patch(world, { username: "e" }), 400, rejected);
      }
      expect(await stateOf(world)).toEqual(["d", "PENDING"]);
    });

    requirement("moderation.actions", "may not replace one by another's", async () => {
      const world = await startModerated(start);
      expectOk(await world.caller.post(path, { user: { username: "taken" } }));
      world.answer = action("replace", "Taken");
      expectRefusal(await post(world, "bad"), 400, "[duplicate]user.username");
    });

    requirement("moderation.when", "is asked when the name changes, and when both switches are on", async () => {
      const world = await startModerated(start);
      expectOk(await post(world, "ada"));
      world.answer = action("reject");
      expectOk(await patch(world, { firstName: "Ada", username: "ada" }));
      expectOk(await world.caller.put(userPath, { user: { username: "ada", email: "ada@example.com" } }));
      expectOk(await world.caller.post(path, { user: { email: "b@example.com" } }));
      expectOk(await patch(world, { username: null }));
      expect(world.moderation.received).toHaveLength(1);
      for (const off of [{ enabled: false }, { usernameModeration: { enabled: false } }]) {
        await configure(world, { enabled: true, url: world.moderation.url, ...off });
        expectOk(await patch(world, { username: `free${JSON.stringify(off).length}` }));
        const user = expectOk(await world.caller.get(userPath));
        expect([user.at("user.usernameStatus"), user.at("user.moderationId")]).toEqual(["ACTIVE", undefined]);
      }
      expect(world.moderation.received).toHaveLength(1);
    });

    requirement(
      "moderation.when",
      "is not asked in a dry run, nor inside of the host's transaction, where a name waits",
      async () => {
        const world = await startModerated(start);
        expectOk(await world.caller.post(`${userPath}?dryRun=true`, { user: { username: "dry" } }));
        const { user } = await world.identity.transaction((tx) =>
          tx.users.create({ userId: uuid(5), user: { username: "ada" } }),
        );
        expect(user.usernameStatus).toBe("PENDING");
        expect(world.moderation.received).toEqual([]);
        expectOk(await patch(world, { username: "ada2" }));
        expect(await stateOf(world)).toEqual(["ada2", "ACTIVE"]);
      },
    );

    requirement("moderation.when", "is asked once by each of many patches at once, which all survive", async () => {
      const world = await startModerated(start);
      expectOk(await post(world, "ada"));
      const names = ["n1", "n2", "n3", "n4", "n5"];
      const patches = names.map((username) => patch(world, { username, data: { [username]: true } }));
      for (const answer of await Promise.all(patches)) expectOk(answer);
      expect(world.moderation.received).toHaveLength(1 + names.length);
      const user = expectOk(await world.caller.get(userPath));
      expect(user.at("user.data")).toEqual(Object.fromEntries(names.map((name) => [name, true])));
      expect(user.at("user.usernameStatus")).toBe("ACTIVE");
    });

    requirement("moderation.unanswered", "leaves a name waiting where it does not answer as it should, and says so", async () => {
      const world = await startModerated(start);
      expectOk(await post(world, "first"));
      for (const [position, answer] of [
        { status: 500 },
        { status: 401, body: action("allow").body },
        { status: 302 },
        { body: "no JSON" },
        { body: [] },
        { body: { contentAction: "dance" } },
      ].entries()) {
        world.answer = answer;
        expectOk(await patch(world, { username: `name${position}` }));
        expect(await stateOf(world)).toEqual([`name${position}`, "PENDING"]);
      }
      expect(world.log.map(({ message }) => message)).toEqual(
        Array(6).fill("moderation returned no decision on a username; it is queued"),
      );
      expect(JSON.stringify(world.log)).not.toMatch(/key of the tests|name0/);
    });

    requirement("moderation.unanswered", "is sent again for a name that it did not know", async () => {
      const world = await startModerated(start);
      world.answer = { status: 503 };
      expectOk(await post(world, "ada"));
      world.answer = { status: 404 };
      expectOk(await patch(world, { username: "ada2" }));
      expect(world.moderation.received.map(({ method }) => method)).toEqual(["POST", "PUT", "POST"]);
      expect(await stateOf(world)).toEqual(["ada2", "PENDING"]);
    });

    requirement("moderation.guarded", "is not called at a private address", async () => {
      const world = await startModerated(start, {}, {});
      expectOk(await post(world, "ada"));
      expect(world.moderation.received).toEqual([]);
      expect(await stateOf(world)).toEqual(["ada", "PENDING"]);
      expect(world.log.map(({ fields }) => fields)).toContainEqual(expect.objectContaining({ reason: "forbiddenAddress" }));
    });

    requirement("moderation.host", "may be a function of the host, which overrides the integration", async () => {
      const asked: unknown[] = [];
      const world = await start({
        moderateUsername: async (content) => {
          asked.push(content);
          if (content.username === "broken") throw new Error("broken");
          return content.username === "bad" ? { action: "reject" } : { action: "allow" };
        },
      });
      expectRefusal(await post(world, "bad"), 400, rejected);
      const { user } = await world.identity.users.create({ userId: uuid(5), user: { username: "good" } });
      expect(user).toMatchObject({ username: "good", usernameStatus: "ACTIVE" });
      expect(asked[1]).toEqual({ username: "good", userId: uuid(5), moderationId: user.moderationId, isEdit: false });
      expectOk(await patch(world, { username: "broken" }));
      expect(await stateOf(world)).toEqual(["broken", "PENDING"]);
    });

    requirement("moderation.registrations", "moderates usernames in registrations alike", async () => {
      const world = await startModerated(start);
      const applicationId = await makeApplication(world, world.defaultTenantId, "App");
      const registration = { applicationId, username: "nick" };
      const made = expectOk(
        await world.caller.post("/api/user/registration", {
          registration,
          user: { username: "ada", password: "a long password" },
        }),
      );
      const userId = made.textAt("user.id");
      expect(world.moderation.received).toHaveLength(2);
      expect([contentOf(world, 0).senderId, contentOf(world, 1).senderId]).toEqual([userId, userId]);
      expect(made.at("registration.moderationId")).not.toBe(made.at("user.moderationId"));
      world.answer = action("queuedForApproval");
      const ofUser = `/api/user/registration/${userId}/${applicationId}`;
      const waiting = expectOk(await world.caller.patch(ofUser, { registration: { username: "nick2" } }));
      expect(waiting.at("registration.usernameStatus")).toBe("PENDING");
      world.answer = action("reject");
      const refused = await world.caller.put(ofUser, { registration: { applicationId, username: "nick3" } });
      expectRefusal(refused, 400, "[moderationRejected]registration.username");
      const again = { registration, user: { username: "another" } };
      expectRefusal(await world.caller.post("/api/user/registration", again), 400, rejected);
    });

    requirement("moderation.registrations", "is not asked about the user of a registration who is there already", async () => {
      const world = await startModerated(start);
      const applicationId = await makeApplication(world, world.defaultTenantId, "App");
      expectOk(await post(world, "ada"));
      const body = { registration: { applicationId }, user: { username: "other" } };
      expect(expectOk(await world.caller.post(`/api/user/registration/${uuid(5)}`, body)).at("user.username")).toBe("ada");
      expect(world.moderation.received).toHaveLength(1);
    });
  });
});
