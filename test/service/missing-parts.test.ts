import type { IdentityServiceOptions } from "latchkey";
import { describe, expect } from "vitest";
import { expectOk } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { Mailbox, makeTemplate } from "../support/mails.js";
import { requirement } from "../support/requirement.js";
import { shareStorage } from "../support/share-storage.js";
import { forEachStorage, startWorld, uuid, type World } from "../support/world.js";

function warningsOf({ log }: World): readonly string[] {
  return log
    .filter(
      ({ level, message }) => level === "warn" && /^No (?:mail|text) leaves|gets no events|A call was not made/.test(message),
    )
    .map(({ message }) => message);
}

async function patchTenant({ caller, defaultTenantId }: World, tenant: object): Promise<void> {
  expectOk(await caller.patch(`/api/tenant/${defaultTenantId}`, { tenant }));
}

async function makeUser({ caller }: World, number: number): Promise<void> {
  const user = { email: `user${number}@example.com`, phoneNumber: `+1555010000${number}`, password: "a password of the test" };
  expectOk(await caller.post("/api/user", { user }));
}

async function restart(world: World, options: Partial<IdentityServiceOptions> = {}): Promise<World> {
  return startWorld(shareStorage(world), options);
}

const send = new Mailbox().send;
const verifyEmail = { emailConfiguration: { verifyEmail: true } };

/** What settings ask for, what they lack, and what mends it. */
const gaps: Readonly<Record<string, readonly [settings: object, fix: string, mended: object]>> = {
  "an address that is to be verified, without a template": [
    verifyEmail,
    "tenant.emailConfiguration.verifyEmail of the tenant Default",
    { emailConfiguration: { verificationEmailTemplateId: uuid(800) } },
  ],
  "a changed address, without a template": [
    { emailConfiguration: { verifyEmailWhenChanged: true } },
    "set tenant.emailConfiguration.verificationEmailTemplateId",
    { emailConfiguration: { verificationEmailTemplateId: uuid(800) } },
  ],
  "a code by mail, without a template": [
    { multiFactorConfiguration: { email: { enabled: true } } },
    "set tenant.multiFactorConfiguration.email.templateId",
    { multiFactorConfiguration: { email: { templateId: uuid(800) } } },
  ],
  "a template without a sender": [
    { emailConfiguration: { passwordUpdateEmailTemplateId: uuid(801) } },
    "set tenant.emailConfiguration.defaultFromEmail, or fromEmail of the template",
    { emailConfiguration: { defaultFromEmail: "service@example.com" } },
  ],
  "a number that is to be verified, without a template": [
    { phoneConfiguration: { verifyPhoneNumber: true } },
    "set tenant.phoneConfiguration.verificationTemplateId",
    { phoneConfiguration: { verifyPhoneNumber: false } },
  ],
  "a code by text, without a messenger": [
    { multiFactorConfiguration: { sms: { enabled: true } } },
    "set tenant.multiFactorConfiguration.sms.messengerId, or pass the option sendSms",
    { multiFactorConfiguration: { sms: { messengerId: uuid(900) } } },
  ],
  "a breached password, without a template": [
    { passwordValidationRules: { breachDetection: { enabled: true, onLogin: "NotifyUser" } } },
    "set tenant.passwordValidationRules.breachDetection.notifyUserEmailTemplateId",
    { passwordValidationRules: { breachDetection: { notifyUserEmailTemplateId: uuid(800) } } },
  ],
};

async function startWithParts(start: (options?: Partial<IdentityServiceOptions>) => Promise<World>): Promise<World> {
  const world = await start({ mail: send });
  await makeTemplate(world);
  await makeTemplate(world, { name: "No sender", fromEmail: undefined }, uuid(801));
  const messenger = {
    name: "Gateway",
    type: "Generic",
    url: "https://sms.example.com",
    connectTimeout: 1_000,
    readTimeout: 1_000,
  };
  expectOk(await world.caller.post(`/api/messenger/${uuid(900)}`, { messenger }));
  return world;
}

forEachStorage((start) => {
  describe("what a setting asks for and cannot have is logged with the fix", () => {
    for (const [name, [settings, fix, mended]] of Object.entries(gaps))
      requirement("account.missing-parts", `${name}: once, and no longer when it is mended`, async () => {
        const world = await startWithParts(start);
        await patchTenant(world, settings);
        await patchTenant(world, { data: { changed: true } });
        const [line, ...others] = warningsOf(world);
        expect([others, line]).toEqual([[], expect.stringContaining(fix)]);
        await patchTenant(world, mended);
        expect(warningsOf(world)).toHaveLength(1);
      });

    requirement(
      "account.missing-parts",
      "the list of a service says the same as its log, and nothing once all is mended",
      async () => {
        for (const [settings, , mended] of Object.values(gaps)) {
          const world = await startWithParts(start);
          expect(await world.identity.config.missingParts()).toEqual([]);
          await patchTenant(world, settings);
          const listed = await world.identity.config.missingParts();
          expect(listed).toEqual(warningsOf(world));
          expect(listed).toHaveLength(1);
          await patchTenant(world, mended);
          expect(await world.identity.config.missingParts()).toEqual([]);
        }
      },
    );

    requirement("account.missing-parts", "the list takes senders for granted where it is asked to", async () => {
      const world = await start();
      await makeTemplate(world);
      const sms = { multiFactorConfiguration: { sms: { enabled: true } } };
      await patchTenant(world, { ...sms, emailConfiguration: { forgotPasswordEmailTemplateId: uuid(800), verifyEmail: true } });
      const application = { name: "App", verifyRegistration: true };
      expectOk(await world.caller.post("/api/application", { application }));
      const listed = await world.identity.config.missingParts({ assumeSenders: true });
      expect(listed.map((line) => line.replace(/^.* leaves for (\S+) .*: /, "$1: "))).toEqual([
        "tenant.emailConfiguration.verifyEmail: set tenant.emailConfiguration.verificationEmailTemplateId.",
        "application.verifyRegistration: set application.verificationEmailTemplateId.",
      ]);
      expect(await world.identity.config.missingParts()).toHaveLength(4);
    });

    requirement("account.missing-parts", "once more, where it is missing again", async () => {
      const world = await startWithParts(start);
      const fix = (verificationEmailTemplateId: string | null) =>
        patchTenant(world, { emailConfiguration: { verifyEmail: true, verificationEmailTemplateId } });
      for (const template of [null, uuid(800), null, null]) await fix(template);
      expect(warningsOf(world)).toHaveLength(2);
    });

    requirement("account.missing-parts", "a template, where the service has no way to send mails", async () => {
      const world = await start();
      await makeTemplate(world);
      await patchTenant(world, { emailConfiguration: { forgotPasswordEmailTemplateId: uuid(800) } });
      expect(warningsOf(world)).toEqual([
        `No mail leaves for tenant.emailConfiguration.forgotPasswordEmailTemplateId of the tenant Default (${world.defaultTenantId}): pass the option mail, which sends mails.`,
      ]);
    });

    requirement("account.missing-parts", "a template and a way to send it in one line, and what is left of both", async () => {
      const world = await start();
      await makeTemplate(world);
      await patchTenant(world, verifyEmail);
      await patchTenant(world, { emailConfiguration: { verificationEmailTemplateId: uuid(800) } });
      await makeUser(world, 1);
      await makeUser(world, 2);
      const cause = `No mail leaves for tenant.emailConfiguration.verifyEmail of the tenant Default (${world.defaultTenantId})`;
      expect(world.log.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
        `${cause}: set tenant.emailConfiguration.verificationEmailTemplateId, and pass the option mail, which sends mails.`,
        `${cause}: pass the option mail, which sends mails.`,
        "This service has no way to send mails: pass the option mail.",
      ]);
    });

    requirement("account.missing-parts", "an application that verifies registrations or logs in without a password", async () => {
      const world = await startWithParts(start);
      const application = { name: "App", verifyRegistration: true, passwordlessConfiguration: { enabled: true } };
      const made = expectOk(await world.caller.post("/api/application", { application }));
      const of = `of the application App (${made.textAt("application.id")})`;
      expect(warningsOf(world)).toEqual([
        `No mail leaves for application.verifyRegistration ${of}: set application.verificationEmailTemplateId.`,
        `No mail leaves for application.passwordlessConfiguration.enabled ${of}: set tenant.emailConfiguration.passwordlessEmailTemplateId.`,
      ]);
    });

    requirement("account.missing-parts", "the first use in a process, and no later one", async () => {
      const world = await start({ mail: send });
      await patchTenant(world, verifyEmail);
      const again = await restart(world, { mail: send });
      expect(warningsOf(again)).toEqual([]);
      await makeUser(again, 1);
      await makeUser(again, 2);
      expect(warningsOf(again)).toEqual([expect.stringContaining("set tenant.emailConfiguration.verificationEmailTemplateId")]);
    });

    requirement("account.missing-parts", "a public call that sends nothing, alike for known and unknown users", async () => {
      for (const loginId of ["user1@example.com", "nobody@example.com"]) {
        const world = await start({ mail: send });
        await makeUser(world, 1);
        expectOk(await new Caller(world.identity, {}).post("/api/user/forgot-password", { loginId }));
        expect(warningsOf(world)).toEqual([
          expect.stringContaining("set tenant.emailConfiguration.forgotPasswordEmailTemplateId"),
        ]);
      }
    });

    requirement("account.missing-parts", "nothing where all is there, where nothing asks, and in a dry run", async () => {
      const world = await startWithParts(start);
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}?dryRun=true`, { tenant: verifyEmail }));
      await patchTenant(world, { emailConfiguration: { verifyEmail: true, verificationEmailTemplateId: uuid(800) } });
      await makeUser(world, 1);
      expect(warningsOf(world)).toEqual([]);
    });
  });

  describe("a webhook whose address calls may not go to", () => {
    const webhook = { connectTimeout: 1_000, readTimeout: 1_000, global: true, eventsEnabled: { "user.create": true } };
    const urls = [
      "http://localhost:3000/hook",
      "http://api.localhost/hook",
      "http://127.0.0.1/hook",
      "http://[::1]/hook",
      "http://10.0.0.7/hook",
    ];

    requirement("webhook.blocked-url", "is logged with the fix when it is saved", async () => {
      for (const url of urls) {
        const world = await start();
        const made = expectOk(await world.caller.post("/api/webhook", { webhook: { ...webhook, url } }));
        const id = made.textAt("webhook.id");
        expectOk(await world.caller.put(`/api/webhook/${id}`, { webhook: { ...webhook, url } }));
        expect(warningsOf(world)).toEqual([expect.stringMatching(`${id} gets no events.*allowPrivateNetwork`)]);
      }
    });

    requirement("webhook.blocked-url", "is logged again when it is changed to another such address", async () => {
      const world = await start();
      const made = expectOk(await world.caller.post("/api/webhook", { webhook: { ...webhook, url: urls[0] } }));
      for (const url of [urls[2], urls[0]])
        expectOk(await world.caller.put(`/api/webhook/${made.textAt("webhook.id")}`, { webhook: { ...webhook, url } }));
      expect(warningsOf(world)).toEqual([expect.stringContaining("localhost:3000"), expect.stringContaining("127.0.0.1")]);
    });

    requirement("webhook.blocked-url", "is logged at the first event in a process, and at no later one", async () => {
      const world = await start();
      expectOk(await world.caller.post("/api/webhook", { webhook: { ...webhook, url: urls[0] } }));
      const again = await restart(world);
      await makeUser(again, 1);
      await makeUser(again, 2);
      await again.identity.settle();
      expect(warningsOf(again)).toEqual([expect.stringContaining("calls may not go to localhost:3000")]);
    });

    requirement("webhook.blocked-url", "is not, where calls may go there, and where the host makes them", async () => {
      const http = { send: async () => ({ kind: "failed", reason: "unreachable" }) as const, close: async () => undefined };
      for (const options of [{ allowPrivateNetwork: true }, { http }]) {
        const world = await start(options as Partial<IdentityServiceOptions>);
        expectOk(await world.caller.post("/api/webhook", { webhook: { ...webhook, url: urls[0] } }));
        expect(warningsOf(world)).toEqual([]);
      }
      const world = await start();
      expectOk(await world.caller.post("/api/webhook", { webhook: { ...webhook, url: "https://example.com/hook" } }));
      expect(warningsOf(world)).toEqual([]);
    });
  });
});
