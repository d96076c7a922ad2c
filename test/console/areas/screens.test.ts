import { afterAll, beforeAll, expect, test } from "vitest";
import { checkAccessibility, openPage, type Stage, settle, startStage, walkByKeyboard } from "../support/browser.js";
import { seed } from "./seed.js";

let stage: Stage;
let ids: Awaited<ReturnType<typeof seed>>;

beforeAll(async () => {
  stage = await startStage({ service: { mail: async () => ({ kind: "ok" }) } });
  ids = await seed(stage);
});
afterAll(() => stage[Symbol.asyncDispose]());

/** The screens, by their path, with the heading that each has. */
const screens: readonly (readonly [path: () => string, heading: string])[] = [
  [() => "/api-keys", "API keys"],
  [() => "/api-keys/new", "Create an API key"],
  [() => `/api-keys/${ids.apiKeyId}`, "Key of the shop"],
  [() => "/keys", "Signing keys"],
  [() => "/keys/new", "Add a key"],
  [() => `/keys/${ids.keyId}`, "Tokens of the shop"],
  [() => `/keys/${ids.keyId}?tab=rotation`, "Tokens of the shop"],
  [() => "/webhooks", "Webhooks"],
  [() => "/webhooks/new", "Add a webhook"],
  [() => `/webhooks/${ids.webhookId}`, "http://127.0.0.1:9/hook"],
  [() => `/webhooks/${ids.webhookId}?tab=test`, "http://127.0.0.1:9/hook"],
  [() => `/webhooks/${ids.webhookId}?tab=signature`, "http://127.0.0.1:9/hook"],
  [() => "/deliveries", "Deliveries"],
  [() => `/deliveries/${ids.eventId}`, "group.create"],
  [() => "/lambdas", "Lambdas"],
  [() => "/lambdas/new", "Write a lambda"],
  [() => `/lambdas/${ids.lambdaId}`, "Claims of the shop"],
  [() => `/lambdas/${ids.lambdaId}?tab=history`, "Claims of the shop"],
  [() => `/lambdas/${ids.lambdaId}?tab=used-by`, "Claims of the shop"],
  [() => "/templates/email", "Email templates"],
  [() => `/templates/email/${ids.emailTemplateId}`, "Welcome"],
  [() => "/templates/message", "Message templates"],
  [() => `/templates/message/${ids.messageTemplateId}`, "Code"],
  [() => "/forms", "Forms"],
  [() => `/forms/${ids.formId}`, "Sign up"],
  [() => "/forms/fields", "Fields"],
  [() => "/forms/fields/new", "Add a field"],
  [() => "/providers", "Identity providers"],
  [() => "/integrations", "Integrations"],
  [() => "/messengers", "Messengers"],
  [() => "/logs/audit", "Audit log"],
  [() => "/logs/audit/1", "Created"],
  [() => "/logs/events", "Event log"],
  [() => "/logs/logins", "Logins"],
  [() => "/configuration", "Configuration"],
  [() => "/system", "System"],
  [() => "/records", "More records"],
  [() => "/records/consents", "Consents"],
  [() => "/records/consents/new", "Add a consent"],
  [() => "/records/user-actions", "User actions"],
  [() => "/records/user-action-reasons", "Reasons of user actions"],
  [() => "/access-lists", "IP access lists"],
];

test.for(screens)("%s is accessible, and every control is reached by keyboard", async ([path, heading]) => {
  await using opened = await openPage(stage, { path: path() });
  const { page } = opened;
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  await settle(page);
  await checkAccessibility(page);
  expect((await walkByKeyboard(page)).missed).toEqual([]);
});
