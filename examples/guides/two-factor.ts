/** docs/authentication-two-factor.md: a second factor of version 1.26.0 and later, and a function that sends codes. */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { Secret, TOTP } from "otpauth";

const secret = "use at least thirty-two random characters";

{
  const identity = await createIdentityService({ storage: memoryStorage() });
  const { user } = await identity.users.create({ user: { email: "ann@example.com", password: "correct horse" } });

  const userId = user.id;
  const { secret, secretBase32Encoded } = await identity.twoFactor.secret();
  const authenticator = new TOTP({ secret: Secret.fromBase32(secretBase32Encoded) }); // what the user's telephone does
  const code = authenticator.generate();
  const answer = await identity.twoFactor.enable({ userId, code, method: "authenticator", secret }); // { recoveryCodes }, shown this once

  assert.equal(answer?.recoveryCodes.length, 10);
  await identity.close();
}

{
  const codes: string[] = [];
  const mail = async ({ text }: { readonly text: string }) => {
    codes.push(text);
    return { kind: "ok" } as const;
  };
  const identity = await createIdentityService({ storage: memoryStorage(), secret, mail });
  await identity.start();
  const texts = { defaultHtmlTemplate: "${code}", defaultSubject: "Your code", defaultTextTemplate: "${code}" };
  const emailTemplate = { ...texts, fromEmail: "shop@example.com", name: "Code" };
  const made = await identity.emailTemplates.create({ emailTemplate });
  const templateId = made.emailTemplate.id;
  const [tenant] = (await identity.tenants.list()).tenants;
  const tenantId = tenant?.id ?? "";
  const { user } = await identity.users.create({ user: { email: "ann@example.com", password: "correct horse" } });
  const userId = user.id;

  const multiFactorConfiguration = { email: { enabled: true, templateId } };
  await identity.tenants.patch({ tenantId, patch: { tenant: { multiFactorConfiguration } } });
  await identity.twoFactor.send({ userId, method: "email", email: "ann@example.com" });

  for (let tries = 0; codes.length === 0 && tries < 500; tries++) await setTimeout(10);
  const [code = ""] = codes;

  await identity.twoFactor.enable({ userId, method: "email", email: "ann@example.com", code }); // what the user typed

  await identity.close();
}

{
  const storage = memoryStorage();
  const gateway = { send: async (to: string, text: string): Promise<boolean> => to !== "" && text !== "" };
  const identity = await createIdentityService({
    storage,
    secret,
    version: "1.25.0",
    async sendSms({ to, text }) {
      const isTaken = await gateway.send(to, text);
      return isTaken ? { kind: "ok" } : { kind: "failed", reason: "the gateway refused" };
    },
  });
  await identity.sms.send({ mobilePhone: "+1 555 0100", textMessage: "Hello", wait: true });
  await identity.close();
}
