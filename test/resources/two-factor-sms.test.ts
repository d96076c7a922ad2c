import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { type Sink, startSink } from "../support/sink.js";
import { enable, secret, startTwoFactor, type TwoFactorWorld } from "../support/two-factor.js";
import { forEachStorage, type Start } from "../support/world.js";

const account = { enabled: true, accountSID: "AC 1/2", authToken: "token-of-the-account", fromPhoneNumber: "+1 555 0199" };
const send = "/api/two-factor/send";

async function startWithIntegration(start: Start, sms: object, allowPrivateNetwork = true): Promise<TwoFactorWorld> {
  const world = await startTwoFactor(start, "1.25.0", { sendSms: undefined, allowPrivateNetwork });
  expectOk(await world.caller.put("/api/integration", { integrations: { sms: { ...account, ...sms } } }));
  await enable(world, "TextMessage");
  return world;
}

function formOf(sink: Sink): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(sink.received[0]?.body));
}

forEachStorage((start) => {
  describe("a text message", () => {
    requirement("sms.form", "is a form of the provider, sent with the account's credentials", async () => {
      const sink = await startSink();
      const world = await startWithIntegration(start, { url: `${sink.url}/base/` });
      expectEmpty(await world.caller.post(send, { userId: world.userId }), 200);
      expect(sink.received).toMatchObject([
        {
          method: "POST",
          url: "/base/2010-04-01/Accounts/AC%201%2F2/Messages.json",
          headers: {
            authorization: `Basic ${Buffer.from("AC 1/2:token-of-the-account").toString("base64")}`,
            "content-type": "application/x-www-form-urlencoded",
          },
        },
      ]);
      const text = `Your verification code is ${world.codeOf(secret, 1)}`;
      expect(formOf(sink)).toEqual({ To: "555-0100", Body: text, From: "+1 555 0199" });
    });

    requirement("sms.form", "goes by the messaging service where there is one", async () => {
      const sink = await startSink();
      const world = await startWithIntegration(start, { url: sink.url, messagingServiceSid: "MG1" });
      expectEmpty(await world.caller.post(send, { mobilePhone: "+44 20 7946 0000", secret }), 200);
      const Body = `Your verification code is ${world.codeOf(secret)}`;
      expect(formOf(sink)).toEqual({ To: "+44 20 7946 0000", Body, MessagingServiceSid: "MG1" });
    });

    requirement("sms.host", "is sent by the host's function, which overrides the integration", async () => {
      const world = await startTwoFactor(start);
      await enable(world);
      expectEmpty(await world.caller.post(send, { userId: world.userId }), 200);
      expect(world.messages).toHaveLength(1);
    });

    requirement("two-factor.send-off", "is not sent by an integration that is switched off", async () => {
      const sink = await startSink();
      const world = await startWithIntegration(start, { url: sink.url, enabled: false });
      expectRefusal(await world.caller.post(send, { userId: world.userId }), 400, "[notConfigured]integrations.sms");
      expect(sink.received).toEqual([]);
    });

    requirement(["two-factor.send-failed", "outbound.limits"], "that the provider refuses is 503, redirects too", async () => {
      for (const status of [301, 307, 400, 401, 429, 500]) {
        const elsewhere = await startSink();
        const sink = await startSink((_request, response) => {
          response.writeHead(status, { location: elsewhere.url }).end('{"message":"555-0100 is no number"}');
        });
        const world = await startWithIntegration(start, { url: sink.url });
        expectRefusal(await world.caller.post(send, { userId: world.userId }), 503, "[smsFailed]");
        expect(String(world.log[0]?.fields.err)).toBe(`Error: The text message was not sent: status ${status}`);
        expect([sink.received.length, elsewhere.received.length]).toEqual([1, 0]);
      }
    });

    requirement("outbound.guard", "goes to no private address unless the host allows it", async () => {
      const sink = await startSink();
      const world = await startWithIntegration(start, { url: sink.url }, false);
      expectRefusal(await world.caller.post(send, { userId: world.userId }), 503, "[smsFailed]");
      expect(world.log.map(({ fields }) => String(fields.err))).toContainEqual(expect.stringContaining("forbiddenAddress"));
      expect(sink.received).toEqual([]);
    });
  });
});
