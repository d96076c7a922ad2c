import { vi } from "vitest";
import type { Stage } from "../support/browser.js";

/** One record of each family, as a small installation has them. */
export async function seed({ identity }: Stage) {
  const { key } = await identity.keys.generate({ key: { name: "Tokens of the shop", algorithm: "ES256" } });
  const { apiKey } = await identity.apiKeys.create({
    apiKey: { name: "Key of the shop", permissions: { endpoints: { "/api/user": ["GET"] } } },
  });
  const { webhook } = await identity.webhooks.create({
    webhook: {
      url: "http://127.0.0.1:9/hook",
      connectTimeout: 500,
      readTimeout: 500,
      global: true,
      eventsEnabled: { "group.create": true },
    },
  });
  const { lambda } = await identity.lambdas.create({
    lambda: {
      name: "Claims of the shop",
      type: "JWTPopulate",
      body: "function populate(jwt, user) {\n  console.info('for', user.email);\n  jwt.department = user.data.department;\n}\n",
    },
  });
  const templates = await seedTemplates(identity);
  const { fields } = await identity.formFields.list();
  const { form } = await identity.forms.create({
    form: {
      name: "Sign up",
      type: "registration",
      steps: [{ fields: fieldsOf(fields, ["user.email", "user.password", "user.firstName"]) }],
    },
  });
  await identity.groups.create({ group: { name: "Readers" } });
  const eventId = await findEvent(identity);
  return {
    keyId: key.id,
    apiKeyId: apiKey.id,
    webhookId: webhook.id,
    lambdaId: lambda.id,
    formId: form.id,
    eventId,
    ...templates,
  };
}

async function seedTemplates(identity: Stage["identity"]) {
  const { emailTemplate } = await identity.emailTemplates.create({
    emailTemplate: {
      name: "Welcome",
      fromEmail: "shop@example.com",
      defaultSubject: "Welcome",
      defaultHtmlTemplate: `<h1 style="color: teal">Dear \${user.firstName}</h1><script>alert(1)</script><img src="https://other.example/x.png" onerror="alert(2)">`,
      defaultTextTemplate: `Dear \${user.firstName}`,
      localizedHtmlTemplates: { de: `<h1>Hallo \${user.firstName}</h1>` },
      localizedTextTemplates: { de: `Hallo \${user.firstName}` },
      localizedSubjects: { de: "Willkommen" },
    },
  });
  const { messageTemplate } = await identity.messageTemplates.create({
    messageTemplate: {
      name: "Code",
      defaultTemplate: `Your code is \${code}`,
      localizedTemplates: { de: `Ihr Code ist \${code}` },
    },
  });
  return { emailTemplateId: emailTemplate.id, messageTemplateId: messageTemplate.id };
}

function fieldsOf(fields: readonly { readonly id: string; readonly key: string }[], keys: readonly string[]): string[] {
  return keys.flatMap((key) => fields.find((field) => field.key === key)?.id ?? []);
}

// The log has an event once its delivery has begun.
function findEvent(identity: Stage["identity"]): Promise<string> {
  return vi.waitFor(
    async () => {
      const { webhookEventLogs = [] } = await identity.webhookEventLogs.search({ search: { eventType: "group.create" } });
      const [log] = webhookEventLogs;
      if (log === undefined || log.failedAttempts === 0) throw new Error("There is no attempt yet.");
      return log.id;
    },
    { timeout: 60_000, interval: 100 },
  );
}
