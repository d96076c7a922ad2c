import type { IdentityServiceOptions } from "latchkey";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { boundStorage } from "../support/bound-storage.js";
import { makeAction, startBan, takeAction } from "../support/families/user-actions.js";
import { makeApplication, makeUser } from "../support/families.js";
import { arrangeLogin, ids, loginBody } from "../support/logins.js";
import { Mailbox, makeTemplate } from "../support/mails.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, makeTenant, readEvents, type Start, startWorld, uuid, type World } from "../support/world.js";

const path = "/api/user/action";
const hour = 3_600_000;
const never = "9223372036854775807";

/** A service whose events are sent to a receiver, and the phases of actions that arrive. */
async function startTold(start: Start, options: Partial<IdentityServiceOptions> = {}) {
  const world = await start({ allowPrivateNetwork: true, ...options });
  const sink = await startSink();
  await makeWebhook(world, { url: sink.url, global: true, eventsEnabled: { "user.action": true } });
  const events = (): readonly Told[] => sink.received.map(({ body }) => JSON.parse(body).event);
  return { world, events, phases: () => events().map(({ phase }) => phase) };
}

type Told = Readonly<Record<string, unknown>>;

const phases = async ({ storage }: World): Promise<readonly unknown[]> =>
  (await readEvents(storage, "user.action")).map(({ phase }) => phase);

forEachStorage(
  (start) => {
    describe("taking an action", () => {
      requirement("user-action.take", "shows who did what to whom, and in the user's language", async () => {
        const world = await start();
        await arrangeLogin(world, { user: { preferredLanguages: ["fr", "de"] } });
        const { instant } = world.clock;
        const options = [{ name: "Gold", localizedNames: { de: "Goldene" } }];
        const action = await makeAction(world, { options, localizedNames: { de: "Sperre" } });
        const userActionReason = { code: "S", localizedTexts: { de: "Werbung" }, text: "Spam" };
        const made = expectOk(await world.caller.post("/api/user-action-reason", { userActionReason }));
        const reasonId = made.textAt("userActionReason.id");
        const extra = { applicationIds: [ids.application], comment: "Enough", option: "Gold", reasonId, notifyUser: true };
        const answer = expectOk(await takeAction(world, action, ids.user, extra));
        const who = { actioneeUserId: ids.user, actionerUserId: ids.user, userActionId: action };
        const texts = { localizedName: "Sperre", localizedOption: "Goldene", localizedReason: "Werbung" };
        const expiry = instant + hour;
        expect(answer.at("action")).toEqual({
          ...{
            ...who,
            ...texts,
            applicationIds: [ids.application],
            comment: "Enough",
            emailUserOnEnd: false,
            endEventSent: false,
          },
          ...{
            expiry,
            history: { historyItems: [{ actionerUserId: ids.user, comment: "Enough", createInstant: instant, expiry }] },
          },
          ...{ id: answer.textAt("action.id"), insertInstant: instant, lastUpdateInstant: instant, name: "Ban" },
          ...{ notifyUserOnEnd: true, option: "Gold", reason: "Spam", reasonCode: "S" },
        });
        expect((await world.caller.get(`${path}/${answer.textAt("action.id")}`)).text).toBe(answer.text);
      });

      requirement("user-action.take", "refuses what is missing, unknown or over", async () => {
        const world = await start();
        await arrangeLogin(world);
        const action = await makeAction(world, { options: [{ name: "Gold" }] });
        const missing = { action: { actionerUserId: ids.user } };
        expectRefusal(
          await world.caller.post(path, missing),
          400,
          "[missing]action.actioneeUserId",
          "[missing]action.userActionId",
        );
        const other = await makeApplication(world, await makeTenant(world, "Other"), "Other");
        const unknown = { applicationIds: [other], expiry: world.clock.instant, option: "Tin", reasonId: uuid(1) };
        const codes = Object.keys(unknown).map((name) => `[invalid]action.${name}`);
        expectRefusal(await takeAction(world, action, ids.user, unknown), 400, ...codes);
        expectRefusal(await takeAction(world, action, ids.user, { expiry: undefined }), 400, "[missing]action.expiry");
        expectRefusal(await takeAction(world, uuid(9), ids.user), 400, "[invalid]action.userActionId");
        const users = ["[invalid]action.actioneeUserId", "[invalid]action.actionerUserId"];
        expectRefusal(await takeAction(world, action, uuid(9)), 400, ...users);
        expectEmpty(await world.caller.delete(`/api/user-action/${action}`), 200);
        expectRefusal(await takeAction(world, action, ids.user), 400, "[invalid]action.userActionId");
      });

      requirement("user-action.never", "lasts for ever where its end says so", async () => {
        const world = await start();
        const id = await startBan(world, { expiry: Number(never) });
        expect((await world.caller.get(`${path}/${id}`)).text).toContain(`"expiry":${never}`);
        world.clock.advance(1_000 * 365 * 24 * hour);
        expect((await world.caller.post("/api/login", loginBody())).text).toContain(`"expiry":${never}`);
        const [event] = await readEvents(world.storage, "user.action");
        expect(event).toMatchObject({ expiry: Number(never), phase: "start" });
      });

      requirement("user-action.list", "lists those of a user: all, active, over, and preventing a login", async () => {
        const world = await start();
        const ban = await startBan(world);
        const note = await makeAction(world, { name: "Note", preventLogin: false, temporal: false });
        world.clock.advance(1);
        const noted = expectOk(await takeAction(world, note, ids.user, { expiry: undefined })).textAt("action.id");
        const list = async (query: string): Promise<readonly unknown[]> =>
          expectOk(await world.caller.get(`${path}?userId=${ids.user}${query}`)).each("actions", "id");
        expect(await list("")).toEqual([noted, ban]);
        expect(await list("&active=true")).toEqual([ban]);
        expect(await list("&active=false")).toEqual([noted]);
        expect(await list("&preventingLogin=true")).toEqual([ban]);
        world.clock.advance(hour);
        expect(await list("&preventingLogin=true")).toEqual([]);
        expectRefusal(await world.caller.get(path), 400, "[missing]userId");
        const change = { action: { actionerUserId: ids.user, expiry: world.clock.instant + 1 } };
        for (const id of [ban, noted]) {
          expectRefusal(await world.caller.put(`${path}/${id}`, change), 400, "[invalid]actionId");
          expectRefusal(await world.caller.delete(`${path}/${id}`, change), 400, "[invalid]actionId");
        }
        expectEmpty(await world.caller.delete(`/api/user-action/${note}?hardDelete=true`), 200);
        expect(await list("")).toEqual([ban]);
      });

      requirement(["user-action.change", "user-action.events"], "is changed and canceled, with history and events", async () => {
        const world = await start();
        const { caller, clock } = world;
        const id = await startBan(world);
        const actionerUserId = await makeUser(world, world.defaultTenantId, "boss@example.com");
        const expiry = clock.advance(1_000) + 2 * hour;
        const change = { action: { actionerUserId, comment: "Longer", expiry }, broadcast: true };
        expect(expectOk(await caller.put(`${path}/${id}`, change)).at("action")).toMatchObject({ comment: "Longer", expiry });
        const canceled = expectOk(await caller.delete(`${path}/${id}`, { action: { actionerUserId }, broadcast: true }));
        expect(canceled.each("action.history.historyItems", "expiry")).toEqual([
          clock.instant - 1_000 + hour,
          expiry,
          clock.instant,
        ]);
        const events = Map.groupBy(await readEvents(world.storage, "user.action"), ({ phase }) => phase);
        const [started, changed] = ["start", "modify"].map((phase) => events.get(phase)?.[0]);
        const told = {
          action: "Ban",
          actionId: id,
          actioneeUserId: ids.user,
          applicationIds: [],
          emailedUser: false,
          notifyUser: false,
        };
        expect(started).toMatchObject({
          ...told,
          actionerUserId: ids.user,
          localizedDuration: "1 hour",
          linkedObjectId: ids.user,
        });
        expect(changed).toMatchObject({ ...told, actionerUserId, comment: "Longer", expiry, localizedDuration: "2 hours" });
        expect([...events.keys()].toSorted()).toEqual(["cancel", "modify", "start"]);
      });

      requirement("user-action.events", "is published only if it is broadcast", async () => {
        const world = await start();
        await startBan(world, { broadcast: false });
        expect(await phases(world)).toEqual([]);
      });
    });

    describe("the end of an action", () => {
      requirement("user-action.end", "is published once, by one of two processes", async () => {
        const { phases, world } = await startTold(start);
        const id = await startBan(world);
        const { clock, storage } = world;
        const shared = { ...boundStorage(storage), close: async () => undefined };
        const { identity: second } = await startWorld(shared, { allowPrivateNetwork: true, clock: clock.now });
        clock.advance(hour);
        await Promise.all([world.identity.settle(), second.settle()]);
        clock.advance(hour);
        await world.identity.settle();
        expect(phases().toSorted()).toEqual(["end", "start"]);
        expect((await world.caller.get(`${path}/${id}`)).at("action.endEventSent")).toBe(true);
      });

      requirement("user-action.end", "is not published where the action says so, or after it was canceled", async () => {
        const { phases, world } = await startTold(start);
        await arrangeLogin(world);
        expectOk(await takeAction(world, await makeAction(world, { sendEndEvent: false }), ids.user));
        const other = expectOk(await takeAction(world, await makeAction(world, { name: "Mute" }), ids.user)).textAt("action.id");
        expectOk(await world.caller.delete(`${path}/${other}`, { action: { actionerUserId: ids.user } }));
        world.clock.advance(hour);
        await world.identity.settle();
        expect(phases()).toEqual(["start", "start"]);
      });
    });

    requirement("user-action.mails", "the user is mailed in each phase, and events may hold the mail", async () => {
      const box = new Mailbox();
      const { events, world } = await startTold(start, { mail: box.send });
      await arrangeLogin(world);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the service's own language.
      const text = { defaultSubject: "${event.phase}", defaultTextTemplate: "${user.email} ${event.action}" };
      const id = await makeTemplate(world, text);
      const names = ["cancel", "end", "modify", "start"].map((phase) => [`${phase}EmailTemplateId`, id]);
      const mailing = { includeEmailInEventJSON: true, userEmailingEnabled: true, ...Object.fromEntries(names) };
      const action = await makeAction(world, mailing);
      const taken = expectOk(await takeAction(world, action, ids.user, { emailUser: true })).textAt("action.id");
      const change = { actionerUserId: ids.user, emailUser: true, expiry: world.clock.instant + 1_000 };
      expectOk(await world.caller.put(`${path}/${taken}`, { action: change }));
      world.clock.advance(1_000);
      expectOk(await takeAction(world, action, ids.user));
      await world.identity.settle();
      expect(box.sent.map(({ subject }) => subject).sort()).toEqual(["end", "modify", "start"]);
      expect(box.sent[0]).toMatchObject({ text: "ann@example.com Ban", to: { address: "ann@example.com" } });
      const email = expect.objectContaining({ subject: "start", to: [{ address: "ann@example.com" }] });
      const started = { email, emailedUser: true, phase: "start" };
      const ended = { emailedUser: true, phase: "end" };
      const silent = { emailedUser: false, phase: "start" };
      for (const one of [started, ended, silent]) expect(events()).toContainEqual(expect.objectContaining(one));
    });

    requirement("user-action.mails", "a mail that cannot be made ends nothing", async () => {
      const world = await start({ mail: new Mailbox().send });
      await arrangeLogin(world);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the service's own language.
      const template = await makeTemplate(world, { defaultTextTemplate: "${user.nothing}" });
      const action = await makeAction(world, { userEmailingEnabled: true, startEmailTemplateId: template });
      expectOk(await takeAction(world, action, ids.user, { emailUser: true }));
      const [event] = await readEvents(world.storage, "event-log.create");
      expect(JSON.stringify(event)).toContain(`to the user ${ids.user} could not be made`);
    });
  },
  isLong ? embeddedPostgres() : [],
);
