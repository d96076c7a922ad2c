import type { Plan } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { startWorld, uuid, type World } from "../support/world.js";

const versions = ["1.25.0", "1.34.0", "1.48.0", "1.65.0"] as const;
type Version = (typeof versions)[number];

const startAt = (version: Version): Promise<World> => startWorld(memoryStorage(), { version });

/** Searches, by the first of the four versions that has them: written down by hand, so that a slip in the tables is seen. */
const searches: readonly (readonly [path: string, first: Version])[] = [
  ["/api/group/search", "1.48.0"],
  ["/api/webhook/search", "1.48.0"],
  ["/api/lambda/search", "1.48.0"],
  ["/api/email/template/search", "1.48.0"],
  ["/api/key/search", "1.48.0"],
  ["/api/group/member/search", "1.48.0"],
  ["/api/ip-acl/search", "1.34.0"],
  ["/api/tenant/search", "1.25.0"],
  ["/api/application/search", "1.25.0"],
];

const webhook = { url: "https://hooks.example.com/a", connectTimeout: 1_000, readTimeout: 1_000 };
const emptyLambda = { name: "L", body: "function populate() {}", type: "JWTPopulate" };

/** Fields, by the first of the four versions that has them and the first that no longer has. */
const fields: readonly {
  readonly name: string;
  readonly send: readonly ["POST" | "PUT", string, object];
  readonly shown: string;
  readonly from: Version;
  readonly until?: Version;
}[] = [
  {
    name: "webhook.tenantIds",
    send: ["POST", "/api/webhook", { webhook: { ...webhook, tenantIds: [] } }],
    shown: "webhook.tenantIds",
    from: "1.48.0",
  },
  {
    name: "webhook.applicationIds",
    send: ["POST", "/api/webhook", { webhook: { ...webhook, applicationIds: [] } }],
    shown: "webhook.applicationIds",
    from: "1.25.0",
    until: "1.48.0",
  },
  {
    name: "webhook.signatureConfiguration",
    send: ["POST", "/api/webhook", { webhook }],
    shown: "webhook.signatureConfiguration",
    from: "1.48.0",
  },
  {
    name: "lambda.engineType",
    send: ["POST", "/api/lambda", { lambda: emptyLambda }],
    shown: "lambda.engineType",
    from: "1.48.0",
  },
  {
    name: "integrations.sms",
    send: ["PUT", "/api/integration", { integrations: {} }],
    shown: "integrations.sms",
    from: "1.25.0",
    until: "1.34.0",
  },
];

/** Values, by the first of the four versions that takes them and the first that no longer does. */
const values: readonly {
  readonly name: string;
  readonly send: readonly ["POST", string, object];
  readonly path: string;
  readonly from: Version;
  readonly until?: Version;
}[] = [
  lambdaType("LoginValidation", "validate", "1.65.0"),
  lambdaType("MFARequirement", "checkRequired", "1.65.0"),
  lambdaType("SelfServiceRegistrationValidation", "validate", "1.48.0"),
  lambdaType("SCIMUserRequestConverter", "convert", "1.48.0"),
  lambdaType("ClientCredentialsJWTPopulate", "populate", "1.34.0"),
  lambdaType("OpenIDReconcile", "reconcile", "1.25.0"),
  {
    name: "Nashorn",
    send: ["POST", "/api/lambda", { lambda: { ...emptyLambda, engineType: "Nashorn" } }],
    path: "lambda.engineType",
    // Before engines could be chosen the field is unknown and ignored.
    from: "1.25.0",
    until: "1.65.0",
  },
  {
    name: "Ed25519",
    send: ["POST", "/api/key/generate", { key: { name: "K", algorithm: "Ed25519" } }],
    path: "key.algorithm",
    from: "1.65.0",
  },
  {
    name: "user.phoneNumber",
    send: ["POST", "/api/form/field", { field: { name: "F", key: "user.phoneNumber" } }],
    path: "field.key",
    from: "1.65.0",
  },
];

function lambdaType(type: string, name: string, from: Version): (typeof values)[number] {
  const lambda = { name: type, type, body: `function ${name}() {}` };
  return { name: type, send: ["POST", "/api/lambda", { lambda }], path: "lambda.type", from };
}

function exists(version: Version, row: { readonly from: Version; readonly until?: Version }): boolean {
  const at = versions.indexOf(version);
  return at >= versions.indexOf(row.from) && (row.until === undefined || at < versions.indexOf(row.until));
}

describe.each(versions)("in version %s", (version) => {
  requirement("version.endpoints", "searches are there from their version on", async () => {
    const { caller } = await startAt(version);
    for (const [path, from] of searches) {
      const isThere = (await caller.get(path)).status === 200;
      expect([path, isThere]).toEqual([path, exists(version, { from })]);
    }
  });

  requirement("version.fields", "fields are known in their versions and ignored outside", async () => {
    const { caller } = await startAt(version);
    for (const { name, send, shown, ...row } of fields) {
      const answer = expectOk(await caller.send(...send));
      expect([name, answer.at(shown) !== undefined]).toEqual([name, exists(version, row)]);
    }
  });

  requirement("version.values", "values are taken in their versions and refused outside", async () => {
    const { caller } = await startAt(version);
    for (const { name, send, path, ...row } of values) {
      const answer = await caller.send(...send);
      if (exists(version, row)) expect([name, answer.status]).toEqual([name, 200]);
      else expectRefusal(answer, 400, `[invalidOption]${path}`);
    }
  });

  requirement("version.patch-documents", "PATCH takes documents of the RFCs from 1.39.0 on", async () => {
    const { caller } = await startAt(version);
    const path = `/api/group/${uuid(1)}`;
    expectOk(await caller.post(path, { group: { name: "G" } }));
    const isThere = version >= "1.39.0";
    for (const answer of [await caller.mergePatch(path, { group: { name: "H" } }), await caller.jsonPatch(path, [])])
      if (isThere) expectOk(answer);
      else expectRefusal(answer, 400, "[UnsupportedContentType]");
  });
});

/** What needs a plan, by the least one that has it. */
const planned: readonly (readonly [path: string, body: object, code: string, least: Plan])[] = [
  ["/api/group", { group: { name: "G" } }, "", "community"],
  ["/api/webhook", { webhook }, "", "community"],
  ["/api/lambda", { lambda: emptyLambda }, "", "community"],
  ["/api/form/field", { field: { name: "F", key: "user.data.a" } }, "[notLicensed]field", "starter"],
  ["/api/entity/type", { entityType: { name: "T" } }, "[notLicensed]entityType", "starter"],
  [
    "/api/ip-acl",
    { ipAccessControlList: { name: "A", entries: [{ action: "Allow", startIPAddress: "*" }] } },
    "[notLicensed]ipAccessControlList",
    "enterprise",
  ],
  [
    "/api/lambda",
    { lambda: { name: "M", type: "MFARequirement", body: "function checkRequired() {}" } },
    "[notLicensed]lambda.type",
    "enterprise",
  ],
];

const plans: readonly Plan[] = ["community", "starter", "essentials", "enterprise"];

describe.each(plans)("in the plan %s", (plan) => {
  requirement("plan.objects", "what the plan has is made, the rest is refused, and what is there can be read", async () => {
    const { caller } = await startWorld(memoryStorage(), { plan });
    for (const [path, body, code, least] of planned) {
      const answer = await caller.post(path, body);
      if (plans.indexOf(plan) >= plans.indexOf(least)) expectOk(answer);
      else expectRefusal(answer, 400, code);
      expectOk(await caller.get(path === "/api/ip-acl" ? "/api/ip-acl/search" : path));
    }
  });
});
