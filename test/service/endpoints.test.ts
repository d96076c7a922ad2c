import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { Caller } from "../support/caller.js";
import { requirement } from "../support/requirement.js";
import { startWorld, uuid } from "../support/world.js";

/** Families with an id in the path, written down from docs/reference/forms.md#form-fields, docs/reference/integrations.md#object and docs/reference/forms.md, docs/reference/README.md: path, id parameter, methods. */
const families: readonly (readonly [path: string, parameter: string, methods: string])[] = [
  ["/api/form/field", "fieldId", "POST GET PUT PATCH DELETE"],
  ["/api/form", "formId", "POST GET PUT PATCH DELETE"],
  ["/api/consent", "consentId", "POST GET PUT PATCH DELETE"],
  ["/api/email/template", "emailTemplateId", "POST GET PUT PATCH DELETE"],
  ["/api/message/template", "messageTemplateId", "POST GET PUT PATCH DELETE"],
  ["/api/theme", "themeId", "POST GET PUT PATCH DELETE"],
  ["/api/connector", "connectorId", "POST GET PUT PATCH DELETE"],
  ["/api/messenger", "messengerId", "POST GET PUT PATCH DELETE"],
  ["/api/webhook", "webhookId", "POST GET PUT PATCH DELETE"],
  ["/api/lambda", "lambdaId", "POST GET PUT PATCH DELETE"],
  ["/api/ip-acl", "ipAccessControlListId", "POST GET PUT PATCH DELETE"],
  ["/api/entity/type", "entityTypeId", "POST GET PUT PATCH DELETE"],
  ["/api/entity", "entityId", "POST GET PUT PATCH DELETE"],
  ["/api/group", "groupId", "POST GET PUT PATCH DELETE"],
  ["/api/tenant", "tenantId", "POST GET PUT PATCH DELETE"],
  ["/api/application", "applicationId", "POST GET PUT PATCH DELETE"],
  ["/api/user", "userId", "POST GET PUT PATCH DELETE"],
  ["/api/user/consent", "userConsentId", "POST GET PUT PATCH DELETE"],
  ["/api/user-action", "userActionId", "POST GET PUT PATCH DELETE"],
  ["/api/user-action-reason", "userActionReasonId", "POST GET PUT PATCH DELETE"],
  ["/api/key", "keyId", "GET PUT DELETE"],
];

/** Calls without an id that succeed on a fresh service. */
const plain: readonly (readonly [method: string, path: string])[] = [
  ["GET", "/api/form/field"],
  ["GET", "/api/form"],
  ["GET", "/api/consent"],
  ["GET", "/api/email/template"],
  ["GET", "/api/webhook"],
  ["GET", "/api/lambda"],
  ["GET", "/api/lambda?type=JWTPopulate"],
  ["GET", "/api/entity/type"],
  ["GET", "/api/key"],
  ["GET", "/api/integration"],
  ["GET", "/api/status"],
  ["GET", "/api/system/version"],
  ["GET", "/api/prometheus/metrics"],
  ...[
    "consent",
    "email/template",
    "webhook",
    "lambda",
    "group",
    "ip-acl",
    "entity/type",
    "entity",
    "entity/grant",
    "key",
  ].flatMap(
    (family) =>
      [
        ["GET", `/api/${family}/search`],
        ["POST", `/api/${family}/search`],
      ] as const,
  ),
];

/** Further calls, and what they answer to a body without anything in it. */
const others: readonly (readonly [method: string, path: string, status: number])[] = [
  ["POST", "/api/key/generate", 400],
  ["POST", `/api/key/generate/${uuid(9)}`, 400],
  ["POST", "/api/key/import", 400],
  ["POST", `/api/key/import/${uuid(9)}`, 400],
  ["PUT", "/api/integration", 400],
  ["PATCH", "/api/integration", 200],
  ["POST", `/api/entity/${uuid(9)}/grant`, 404],
  ["PUT", `/api/entity/${uuid(9)}/grant`, 404],
  ["GET", `/api/entity/${uuid(9)}/grant`, 404],
  ["DELETE", `/api/entity/${uuid(9)}/grant`, 400],
  ["POST", `/api/entity/type/${uuid(9)}/permission`, 400],
  ["PUT", `/api/entity/type/${uuid(9)}/permission/${uuid(8)}`, 404],
  ["PATCH", `/api/entity/type/${uuid(9)}/permission/${uuid(8)}`, 404],
  ["DELETE", `/api/entity/type/${uuid(9)}/permission/${uuid(8)}`, 404],
];

const bodyOf = (method: string): object | undefined => (method === "GET" || method === "DELETE" ? undefined : {});

requirement("endpoint.statuses", "every endpoint answers with the statuses that the reference names", async () => {
  const { caller, identity } = await startWorld(memoryStorage());
  const stranger = new Caller(identity, {});
  const seen: string[] = [];
  const wanted: string[] = [];
  const expectStatus = async (from: Caller, method: string, path: string, status: number): Promise<void> => {
    seen.push(`${method} ${path} ${(await from.send(method, path, bodyOf(method))).status}`);
    wanted.push(`${method} ${path} ${status}`);
  };
  for (const [path, , methods] of families)
    for (const method of methods.split(" ")) {
      await expectStatus(stranger, method, `${path}/${uuid(9)}`, 401);
      await expectStatus(caller, method, `${path}/not-an-id`, 400);
      await expectStatus(caller, method, `${path}/${uuid(9)}`, method === "POST" ? 400 : 404);
    }
  for (const [path, , methods] of families)
    for (const method of methods.split(" ")) if (method !== "GET") await expectStatus(caller, method, path, 400);
  for (const [method, path] of plain) await expectStatus(caller, method, path, 200);
  for (const [method, path, status] of others) {
    await expectStatus(stranger, method, path, 401);
    await expectStatus(caller, method, path, status);
  }
  for (const path of ["/api/status", "/api/system/version", "/api/prometheus/metrics"])
    await expectStatus(stranger, "GET", path, 401);
  await expectStatus(stranger, "GET", "/api/health", 200);
  await expectStatus(stranger, "GET", "/.well-known/jwks.json", 200);
  await expectStatus(stranger, "GET", "/api/jwt/public-key", 200);
  expect(seen).toEqual(wanted);
});

requirement("endpoint.id-names", "a malformed id is an error about the parameter by its name", async () => {
  const { caller } = await startWorld(memoryStorage());
  for (const [path, parameter, methods] of families) {
    const [method = ""] = methods.split(" ").slice(1);
    const answer = await caller.send(method, `${path}/not-an-id`, bodyOf(method));
    expect([path, answer.at(`fieldErrors.${parameter}.0.code`)]).toEqual([path, `[couldNotConvert]${parameter}`]);
  }
});
