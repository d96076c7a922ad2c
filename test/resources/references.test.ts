import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

type Post = readonly [path: string, body: object];

const keyId = uuid(1);
const lambdaId = uuid(2);
const formId = uuid(3);
const fieldIds = [uuid(4), uuid(5)];
const templateId = uuid(6);
const listId = uuid(7);
const consentId = uuid(8);

/** What others refer to. */
const targets: readonly Post[] = [
  [`/api/key/generate/${keyId}`, { key: { name: "K", algorithm: "ES256" } }],
  [`/api/lambda/${lambdaId}`, { lambda: { name: "L", type: "LoginValidation", body: "function validate() {}" } }],
  [`/api/form/field/${fieldIds[0]}`, { field: { name: "E", key: "user.email" } }],
  [`/api/form/field/${fieldIds[1]}`, { field: { name: "P", key: "user.password" } }],
  [`/api/form/${formId}`, { form: { name: "F", steps: [{ fields: fieldIds }] } }],
  [
    `/api/email/template/${templateId}`,
    { emailTemplate: { name: "T", defaultSubject: "S", defaultHtmlTemplate: "<p>", defaultTextTemplate: "t" } },
  ],
  [`/api/ip-acl/${listId}`, { ipAccessControlList: { name: "A", entries: [{ action: "Allow", startIPAddress: "*" }] } }],
  [`/api/consent/${consentId}`, { consent: { name: "C", defaultMinimumAgeForSelfConsent: 13 } }],
];

const webhook = { url: "https://hooks.example.com/a", connectTimeout: 1_000, readTimeout: 1_000 };

/** Who refers to what: the holder, where the holder is, the target, and the code of refusing its removal. */
const uses: readonly (readonly [holder: string, post: Post, target: string, code: string])[] = [
  [
    "a webhook's signature",
    ["/api/webhook", { webhook: { ...webhook, signatureConfiguration: { enabled: true, signingKeyId: keyId } } }],
    `/api/key/${keyId}`,
    "[inUse]keyId",
  ],
  [
    "a tenant's tokens",
    ["/api/tenant", { tenant: { name: "T", jwtConfiguration: { accessTokenKeyId: keyId } } }],
    `/api/key/${keyId}`,
    "[inUse]keyId",
  ],
  [
    "an entity type's tokens",
    ["/api/entity/type", { entityType: { name: "E", jwtConfiguration: { enabled: true, accessTokenKeyId: keyId } } }],
    `/api/key/${keyId}`,
    "[inUse]keyId",
  ],
  [
    "a tenant's login",
    ["/api/tenant", { tenant: { name: "T", lambdaConfiguration: { loginValidationId: lambdaId } } }],
    `/api/lambda/${lambdaId}`,
    "[inUse]lambdaId",
  ],
  [
    "a tenant's users",
    ["/api/tenant", { tenant: { name: "T", formConfiguration: { adminUserFormId: formId } } }],
    `/api/form/${formId}`,
    "[inUse]formId",
  ],
  [
    "an application's registration",
    ["/api/application", { application: { name: "A", registrationConfiguration: { type: "advanced", formId } } }],
    `/api/form/${formId}`,
    "[inUse]formId",
  ],
  [
    "a consent's email",
    ["/api/consent", { consent: { name: "D", defaultMinimumAgeForSelfConsent: 13, consentEmailTemplateId: templateId } }],
    `/api/email/template/${templateId}`,
    "[inUse]emailTemplateId",
  ],
  [
    "a consent's second email",
    [
      "/api/consent",
      { consent: { name: "D", defaultMinimumAgeForSelfConsent: 13, emailPlus: { enabled: true, emailTemplateId: templateId } } },
    ],
    `/api/email/template/${templateId}`,
    "[inUse]emailTemplateId",
  ],
  [
    "an API key",
    ["/api/api-key", { apiKey: { name: "K", ipAccessControlListId: listId } }],
    `/api/ip-acl/${listId}`,
    "[inUse]ipAccessControlListId",
  ],
  [
    "a form field",
    ["/api/form/field", { field: { name: "N", type: "consent", consentId } }],
    `/api/consent/${consentId}`,
    "[inUse]consentId",
  ],
];

forEachStorage((start) => {
  describe("what is referred to", () => {
    requirement("reference.in-use", "cannot be removed while something refers to it, and can afterwards", async () => {
      for (const [holder, [path, body], target, code] of uses) {
        const { caller } = await start();
        for (const [at, made] of targets) expectOk(await caller.post(at, made));
        const answer = expectOk(await caller.post(path, body));
        const [wrapper = ""] = Object.keys(body);
        const refused = await caller.delete(target);
        expect([holder, refused.status]).toEqual([holder, 400]);
        expectRefusal(refused, 400, code);
        expectEmpty(await caller.delete(`${path}/${answer.textAt(`${wrapper}.id`)}?hardDelete=true`), 200);
        expectEmpty(await caller.delete(target), 200);
      }
    });

    requirement("reference.moves", "is free again once the holder refers to something else", async () => {
      const { caller } = await start();
      const [makeList] = targets.filter(([at]) => at.startsWith("/api/ip-acl"));
      expectOk(await caller.post(...(makeList as [string, object])));
      const key = { name: "K", ipAccessControlListId: listId };
      const id = expectOk(await caller.post("/api/api-key", { apiKey: key })).textAt("apiKey.id");
      expectRefusal(await caller.delete(`/api/ip-acl/${listId}`), 400, "[inUse]ipAccessControlListId");
      expectOk(await caller.put(`/api/api-key/${id}`, { apiKey: { name: "K" } }));
      expectEmpty(await caller.delete(`/api/ip-acl/${listId}`), 200);
      const gone = await caller.put(`/api/api-key/${id}`, { apiKey: key });
      expectRefusal(gone, 400, "[invalid]apiKey.ipAccessControlListId");
    });

    requirement("reference.by-kind", "is not confused with another kind of record of the same id", async () => {
      const { caller } = await start();
      expectOk(
        await caller.post(`/api/ip-acl/${uuid(1)}`, { ipAccessControlList: { name: "A", entries: [{ startIPAddress: "*" }] } }),
      );
      expectOk(await caller.post("/api/api-key", { apiKey: { name: "K", ipAccessControlListId: uuid(1) } }));
      expectOk(await caller.post(`/api/group/${uuid(1)}`, { group: { name: "G" } }));
      expectEmpty(await caller.delete(`/api/group/${uuid(1)}`), 200);
    });
  });
});
