import { createIdentityService, type IdentityService, type IdentityServiceOptions } from "latchkey";
import type { MailMessage, Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, onTestFinished, vi } from "vitest";
import { plainTemplate } from "../support/mails.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { makeDirectory } from "../support/temporary.js";
import { storagesOfRules, testSecret } from "../support/world.js";

const longerThanTests = 60_000;
const patient = { timeout: 20_000, interval: 20 };

async function open(storage: Storage, options: Partial<IdentityServiceOptions> = {}): Promise<IdentityService> {
  const identity = await createIdentityService({ storage, secret: testSecret, allowPrivateNetwork: true, ...options });
  onTestFinished(() => identity.close());
  return identity;
}

function makeWebhookAt(identity: IdentityService, url: string, readTimeout = 20_000): Promise<unknown> {
  const eventsEnabled = { "group.create": true };
  return identity.webhooks.create({ webhook: { url, global: true, eventsEnabled, connectTimeout: 20_000, readTimeout } });
}

describe.each(storagesOfRules())("a service that is given no options of delivery, on %s", (_name, openStorage) => {
  requirement("defaults.delivery", "sends events", async () => {
    const sink = await startSink();
    const identity = await open(openStorage());
    await makeWebhookAt(identity, sink.url);
    await identity.groups.create({ group: { name: "Editors" } });
    await vi.waitFor(() => expect(sink.received).toHaveLength(1), patient);
  });

  requirement("defaults.delivery", "begins with its first event, before the time at which it begins by itself", async () => {
    const sink = await startSink();
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const identity = await open(openStorage());
    vi.useRealTimers();
    await makeWebhookAt(identity, sink.url);
    await identity.groups.create({ group: { name: "Editors" } });
    await vi.waitFor(() => expect(sink.received).toHaveLength(1), patient);
  });

  requirement("defaults.delivery", "sends mails and text messages", async () => {
    const mails: MailMessage[] = [];
    const texts: string[] = [];
    const identity = await open(openStorage(), {
      mail: async (mail) => {
        mails.push(mail);
        return { kind: "ok" };
      },
      sendSms: async ({ text }) => {
        texts.push(text);
        return { kind: "ok" };
      },
    });
    const { emailTemplate } = await identity.emailTemplates.create({ emailTemplate: plainTemplate });
    await identity.emailTemplates.send({ emailTemplateId: emailTemplate.id, toAddresses: [{ address: "ana@example.com" }] });
    const { user } = await identity.users.create({ user: { email: "ana@example.com", mobilePhone: "+15550100" } });
    await identity.sms.send({ userId: user.id, textMessage: "Hello" });
    await vi.waitFor(() => expect([mails.length, texts]).toEqual([1, ["Hello"]]), patient);
  });

  requirement("defaults.delivery-close", "waits at its end for a call that is under way", async () => {
    let answer = (): void => undefined;
    const sink = await startSink((_request, response) => {
      answer = () => void response.writeHead(200).end();
    });
    const identity = await open(openStorage());
    await makeWebhookAt(identity, sink.url);
    await identity.groups.create({ group: { name: "Editors" } });
    await vi.waitFor(() => expect(sink.received).toHaveLength(1), patient);
    let isClosed = false;
    const closing = identity.close().then(() => {
      isClosed = true;
    });
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    answer();
    await closing;
  });

  requirement("defaults.delivery-close", "waits no longer than the option says", async () => {
    const sink = await startSink(() => undefined);
    const identity = await open(openStorage(), { delivery: { closeTimeoutMilliseconds: 1 } });
    await makeWebhookAt(identity, sink.url, longerThanTests);
    await identity.groups.create({ group: { name: "Editors" } });
    await vi.waitFor(() => expect(sink.received).toHaveLength(1), patient);
    // The receiver never answers, and its own limit would be too late.
    await identity.close();
  });
});

requirement("defaults.delivery-off", "what one process keeps with delivery: false, the next one sends", async () => {
  const filename = `${makeDirectory()}/identity.db`;
  const sink = await startSink();
  const first = await open(sqliteStorage({ filename }), { delivery: false });
  await makeWebhookAt(first, sink.url);
  await first.groups.create({ group: { name: "Editors" } });
  await first.close();
  expect(sink.received).toHaveLength(0);
  await open(sqliteStorage({ filename }));
  await vi.waitFor(() => expect(sink.received).toHaveLength(1), patient);
});
