import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

/** A call as it was made, and what was answered. */
export interface Example {
  readonly operationId: string;
  readonly mediaType: string;
  readonly request: unknown;
  readonly answer: unknown;
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
}

type Row = readonly [operationId: string, method: string, url: string, request: unknown, mediaType?: string];

const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const apiKey = "bootstrap-key-of-the-examples-0123456789";

const group = uuid(901);
const user = uuid(902);
const application = uuid(903);
const entityType = uuid(904);
const consent = uuid(905);
const action = uuid(906);

/** Calls that work one after the other on a fresh service. */
const calls: readonly Row[] = [
  [
    "applications.createWithApplicationId",
    "POST",
    `/api/application/${application}`,
    {
      application: {
        name: "Shop",
        oauthConfiguration: { clientSecret: "a-random-text-of-your-own" },
        roles: [{ name: "buyer" }],
      },
    },
  ],
  [
    "users.createWithUserId",
    "POST",
    `/api/user/${user}`,
    { user: { email: "ana@example.com", firstName: "Ana", password: "a long password" } },
  ],
  [
    "registrations.createWithUserId",
    "POST",
    `/api/user/registration/${user}`,
    { registration: { applicationId: application, roles: ["buyer"] } },
  ],
  ["groups.createWithGroupId", "POST", `/api/group/${group}`, { group: { name: "Editors", data: { floor: 1, tags: ["a"] } } }],
  ["groups.create", "POST", "/api/group", { group: { name: "Readers" } }],
  ["groups.patch", "PATCH", `/api/group/${group}`, { group: { data: { tags: ["b"] } } }],
  [
    "groups.patch",
    "PATCH",
    `/api/group/${group}`,
    { group: { data: { tags: ["c"], floor: null } } },
    "application/merge-patch+json",
  ],
  [
    "groups.patch",
    "PATCH",
    `/api/group/${group}`,
    [{ op: "replace", path: "/group/name", value: "Authors" }],
    "application/json-patch+json",
  ],
  ["groups.search", "POST", "/api/group/search", { search: { name: "auth*", orderBy: "name DESC", numberOfResults: 10 } }],
  ["groups.retrieve", "GET", `/api/group/${group}`, undefined],
  ["groupMembers.add", "POST", "/api/group/member", { members: { [group]: [{ userId: user }] } }],
  [
    "consents.createWithConsentId",
    "POST",
    `/api/consent/${consent}`,
    { consent: { name: "Newsletter", defaultMinimumAgeForSelfConsent: 16 } },
  ],
  ["userConsents.create", "POST", "/api/user/consent", { userConsent: { consentId: consent, giverUserId: user, userId: user } }],
  ["userActions.createWithUserActionId", "POST", `/api/user-action/${action}`, { userAction: { name: "Ban", temporal: true } }],
  [
    "userActionLogs.create",
    "POST",
    "/api/user/action",
    { action: { actioneeUserId: user, actionerUserId: user, expiry: 1_900_000_000_000, userActionId: action } },
  ],
  [
    "formFields.create",
    "POST",
    "/api/form/field",
    { field: { name: "Shirt size", key: "user.data.size", control: "select", options: ["m", "l"] } },
  ],
  [
    "webhooks.create",
    "POST",
    "/api/webhook",
    { webhook: { url: "https://hooks.example.com/events", connectTimeout: 1_000, readTimeout: 2_000, global: true } },
  ],
  [
    "lambdas.create",
    "POST",
    "/api/lambda",
    { lambda: { name: "Plan in tokens", type: "JWTPopulate", body: "function populate(jwt) { jwt.plan = 'team'; }" } },
  ],
  ["entityTypes.createWithEntityTypeId", "POST", `/api/entity/type/${entityType}`, { entityType: { name: "Service" } }],
  [
    "accessLists.create",
    "POST",
    "/api/ip-acl",
    {
      ipAccessControlList: {
        name: "Office",
        entries: [
          { startIPAddress: "192.0.2.0", endIPAddress: "192.0.2.255", action: "Allow" },
          { startIPAddress: "*", action: "Block" },
        ],
      },
    },
  ],
  [
    "apiKeys.create",
    "POST",
    "/api/api-key",
    { apiKey: { name: "Reports", key: "a-random-text-of-your-own", permissions: { endpoints: { "/api/group": ["GET"] } } } },
  ],
  // From here on each call would have to say of which tenant it is.
  ["tenants.create", "POST", "/api/tenant", { tenant: { name: "Subsidiary" } }],
];

/** Makes the calls, on a service that is the same each time, and tells what came of them. */
export async function recordExamples(): Promise<{ readonly calls: readonly Example[]; readonly refusal: unknown }> {
  let made = 0;
  const service = await createIdentityService({
    storage: memoryStorage(),
    secret: "a secret of the examples with enough characters",
    apiKey,
    clock: () => 1_795_272_740_304,
    newId: () => uuid(++made),
    delivery: { autoStart: false },
  });
  const call = async ([, method, url, body, type = "application/json"]: (typeof calls)[number]): Promise<Reply> => {
    const headers = { authorization: apiKey, "content-type": type };
    const answer = await service.inject({ method, url, headers, ...(body !== undefined && { body }) });
    return { status: answer.status, text: answer.body, body: JSON.parse(answer.body) };
  };
  const examples: Example[] = [];
  for (const one of calls) {
    const [operationId, , , request, mediaType = "application/json"] = one;
    const answer = await call(one);
    if (answer.status !== 200) throw new Error(`${operationId} is ${answer.status} ${answer.text}`);
    examples.push({ operationId, mediaType, request, answer: answer.body });
  }
  const refused = await call(["groups.create", "POST", "/api/group", { group: { name: "", roleIds: 1 } }]);
  await service.close();
  return { calls: examples, refusal: refused.body };
}

interface Content {
  readonly [mediaType: string]: { example?: unknown };
}

interface Described {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** Puts the calls where they belong in a document. */
export function addExamples(
  paths: Readonly<Record<string, Readonly<Record<string, object>>>>,
  examples: readonly Example[],
): void {
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as Described[]);
  for (const { operationId, mediaType, request, answer } of examples) {
    const operation = operations.find((one) => one.operationId === operationId);
    const response = operation?.responses["200"]?.content?.["application/json"];
    if (response === undefined) throw new Error(`There is no ${operationId} to show.`);
    response.example ??= answer;
    const body = operation?.requestBody?.content[mediaType];
    if (body !== undefined) body.example = request;
  }
}
