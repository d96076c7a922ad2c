import { IdentityError } from "latchkey";
import type { SendSmsInput } from "latchkey/types";
import { describe, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { expectTexts, startTexting } from "../support/texts.js";
import { forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

const text = { mobilePhone: "+1 555 0100", textMessage: "Your parcel is here" };

async function refusalOf(call: Promise<unknown>): Promise<readonly unknown[]> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof IdentityError)) throw new Error(`It was not refused: ${error}`);
  const entries = [...error.generalErrors, ...Object.values(error.fieldErrors).flat()];
  return [error.status, ...entries.map(({ code }) => code).sort()];
}

async function makePhone(world: World, tenantId: string, email: string, mobilePhone?: string): Promise<string> {
  return (await world.identity.users.create({ user: { email, mobilePhone } }, { tenantId })).user.id;
}

forEachStorage((start) => {
  describe("a text of a host", () => {
    requirement("sms.send", "goes to a number, or to the phone of a user", async () => {
      const { box, world } = await startTexting(start);
      const { defaultTenantId: tenantId, identity } = world;
      const { id } = await identity.sms.send(text);
      expect(await box.holds(1)).toEqual([{ id, tenantId, text: text.textMessage, to: "+1 555 0100" }]);
      world.clock.advance(1_000);
      const userId = await makePhone(world, tenantId, "ann@example.com", "555-0101");
      await identity.sms.send({ userId, textMessage: "Hello" });
      await box.holds(2);
      await identity.sms.send({ ...text, userId });
      const sent = await box.holds(3);
      expect(sent[1]).toEqual({ id: expect.any(String), tenantId, text: "Hello", to: "555-0101", userId });
      expect(sent[2]).toMatchObject({ to: "+1 555 0100", userId });
      await expectTexts(world, { result: "Succeeded" }, { result: "Succeeded", userId }, { result: "Succeeded", userId });
    });

    requirement("sms.input", "is refused with all that is wrong with it", async () => {
      const { box, world } = await startTexting(start);
      const { defaultTenantId: tenantId } = world;
      const refused = (input: object): Promise<readonly unknown[]> =>
        refusalOf(world.identity.sms.send({ ...text, ...input } as SendSmsInput));
      expect(await refusalOf(world.identity.sms.send({} as SendSmsInput))).toEqual([
        400,
        "[blank]mobilePhone",
        "[blank]textMessage",
      ]);
      for (const mobilePhone of ["", "12", "call me", "+1 555 0100\r\nx", "1".repeat(41), 5550100])
        expect(await refused({ mobilePhone })).toEqual([400, "[invalid]mobilePhone"]);
      expect(await refused({ textMessage: " \n" })).toEqual([400, "[blank]textMessage"]);
      expect(await refused({ textMessage: "x".repeat(1_601) })).toEqual([400, "[tooLong]textMessage"]);
      const wrong = { textMessage: 1, tenantId: "x", userId: 7, wait: "yes" };
      const ids = ["[couldNotConvert]tenantId", "[couldNotConvert]userId"];
      expect(await refused(wrong)).toEqual([400, ...ids, "[invalidJSON]textMessage", "[invalidJSON]wait"]);
      expect(await refused({ tenantId: uuid(404) })).toEqual([400, "[invalid]tenantId"]);
      expect(await refused({ userId: uuid(404) })).toEqual([400, "[invalid]userId"]);
      const userId = await makePhone(world, tenantId, "ann@example.com");
      expect(await refused({ mobilePhone: undefined, userId })).toEqual([400, "[blank]user.mobilePhone"]);
      const unreachable = await makePhone(world, tenantId, "bo@example.com", "by mail");
      expect(await refused({ mobilePhone: undefined, userId: unreachable })).toEqual([400, "[invalid]user.mobilePhone"]);
      await expectTexts(world);
      expect(box.sent).toEqual([]);
    });

    requirement("sms.tenants", "has a wall between tenants", async () => {
      const { box, world } = await startTexting(start);
      const { defaultTenantId: A, identity } = world;
      const B = await makeTenant(world, "Other");
      const userId = await makePhone(world, B, "bo@example.com", "555-0102");
      expect(await refusalOf(identity.sms.send(text))).toEqual([400, "[TenantIdRequired]"]);
      const ofUser = { userId, textMessage: "Hello" };
      expect(await refusalOf(identity.sms.send({ ...ofUser, tenantId: A }))).toEqual([400, "[invalid]userId"]);
      const bound = identity.as({ kind: "host", tenantId: A });
      expect(await refusalOf(bound.sms.send(ofUser))).toEqual([400, "[invalid]userId"]);
      expect(await refusalOf(bound.sms.send(text, { tenantId: B }))).toEqual([401, "[unauthorized]"]);
      await bound.sms.send({ ...text, tenantId: B });
      expect(await box.holds(1)).toMatchObject([{ tenantId: A }]);
      await identity.sms.send(ofUser);
      await identity.sms.send(text, { tenantId: B });
      expect((await box.holds(3)).map(({ tenantId }) => tenantId)).toEqual([A, B, B]);
      await expectTexts(world, { result: "Succeeded" }, { result: "Succeeded" }, { result: "Succeeded" });
      await identity.tenants.remove({ tenantId: B });
      await expectTexts(world, { result: "Succeeded" });
    });

    requirement("sms.not-configured", "is refused where nothing could send it", async () => {
      const world = await start({ version: "1.25.0" });
      const expected = [400, "[notConfigured]integrations.sms"];
      expect(await refusalOf(world.identity.sms.send(text))).toEqual(expected);
      expect(await refusalOf(world.identity.sms.send({ ...text, wait: true }))).toEqual(expected);
      const later = await start({ names: { sms: "texter" } });
      expect(await refusalOf(later.identity.sms.send(text))).toEqual([400, "[notConfigured]integrations.texter"]);
      await expectTexts(later);
    });

    requirement("sms.wait", "is sent at once for a waiting caller, and stored nowhere", async () => {
      const { box, world } = await startTexting(start);
      const waiting = { ...text, wait: true };
      const { id } = await world.identity.sms.send(waiting);
      expect(box.sent).toEqual([{ id, tenantId: world.defaultTenantId, text: text.textMessage, to: "+1 555 0100" }]);
      for (const reason of ["failed", "refused"] as const) {
        box.outcomes.push({ kind: reason, reason });
        expect(await refusalOf(world.identity.sms.send(waiting))).toEqual([503, "[smsFailed]"]);
      }
      box.outcomes.push(new RangeError("+1 555 0100"));
      const error = await world.identity.sms.send(waiting).catch((thrown: unknown) => thrown);
      expect(String((error as Error).cause)).toBe("Error: The text message was not sent: RangeError");
      const inside = world.identity.transaction((tx) => tx.sms.send(waiting));
      expect(await refusalOf(inside)).toEqual([400, "[invalid]wait"]);
      expect(box.sent).toHaveLength(4);
      await expectTexts(world);
    });

    requirement("sms.dry-run", "is not sent by a dry run", async () => {
      const { box, world } = await startTexting(start);
      await world.identity.sms.send(text, { dryRun: true });
      await world.identity.sms.send({ ...text, wait: true }, { dryRun: true });
      expect(await refusalOf(world.identity.sms.send({ ...text, textMessage: "" }, { dryRun: true }))).toHaveLength(2);
      await expectTexts(world);
      await world.identity.sms.send(text);
      expect(await box.holds(1)).toHaveLength(1);
    });

    requirement("sms.send", "goes to the provider that the integration names, before 1.26.0", async () => {
      const sink = await startSink();
      const world = await start({ version: "1.25.0", allowPrivateNetwork: true });
      const account = { enabled: true, accountSID: "AC1", authToken: "token", fromPhoneNumber: "+1 555 0199" };
      await world.identity.integrations.update({ integrations: { sms: { ...account, url: sink.url } } });
      await world.identity.start();
      await world.identity.sms.send(text);
      await expectTexts(world, { result: "Succeeded" });
      const sent = sink.received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
      expect(sent).toEqual([{ To: "+1 555 0100", Body: text.textMessage, From: "+1 555 0199" }]);
    });
  });
});
