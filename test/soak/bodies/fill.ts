import { idOf } from "./ids.ts";

/** Sends one request with the key that may do everything, and answers its status and body. */
export type Send = (method: string, url: string, body: object) => Promise<{ readonly status: number; readonly body: string }>;

/** How many records each family gets, of so many in all. */
export interface Counts {
  readonly users: number;
  readonly groups: number;
  readonly members: number;
  readonly registrations: number;
  readonly userConsents: number;
  readonly entities: number;
  readonly others: number;
}

/** Divides a number of records among the families. */
export function countsOf(records: number): Counts {
  const part = (share: number): number => Math.max(2, Math.floor(records * share));
  return {
    users: part(0.25),
    groups: part(0.12),
    members: part(0.28),
    registrations: part(0.2),
    userConsents: part(0.06),
    entities: part(0.04),
    others: part(0.0025),
  };
}

/** The keys that requests are sent with, beside the one that may do everything. */
export const keys = {
  tenant: "a-key-of-one-tenant-of-the-soak-0123456789",
  restricted: "a-key-of-one-endpoint-of-the-soak-01234567",
};

/** How many users a group's large request names at once. */
const membersAtOnce = 10_000;

/** Fills a service. The first record of a family is the one that very many others refer to. */
export async function fill(send: Send, records: number): Promise<void> {
  const counts = countsOf(records);
  const put =
    (url: string, body: object, method = "POST"): (() => Promise<void>) =>
    async () => {
      const answer = await send(method, url, body);
      if (answer.status !== 200) throw new Error(`${method} ${url}: ${answer.status} ${answer.body.slice(0, 500)}`);
    };
  const many = (count: number, toRequest: (index: number) => () => Promise<void>): Promise<void> =>
    sideBySide(Array.from({ length: count }, (_, index) => toRequest(index)));
  for (const tenant of [0, 1]) await put(`/api/tenant/${idOf("tenant", tenant)}`, { tenant: { name: `Tenant ${tenant}` } })();
  const probe = { name: "Read beside the others", tenantId: idOf("tenant", 1) };
  await put(`/api/group/${idOf("probe", 0)}`, { group: probe })();
  for (const [url, body] of requestsOfKeys()) await put(url, body)();
  await many(counts.others, (index) => put(...applicationOf(index)));
  await many(counts.users, (index) => put(`/api/user/${idOf("user", index)}`, toUser(index)));
  await many(counts.groups, (index) => put(`/api/group/${idOf("group", index)}`, toGroup(index)));
  await many(counts.registrations, (index) => put(`/api/user/registration/${idOf("user", index)}`, registration));
  for (const members of memberships(counts)) await put("/api/group/member", { members })();
  for (const toRequest of others) await many(counts.others, (index) => put(...toRequest(index)));
  await many(counts.userConsents, (index) => put(...userConsentOf(index)));
  await many(counts.entities, (index) => put(`/api/entity/${idOf("entity", index)}`, toEntity(index)));
  await many(counts.entities, (index) => put(`/api/entity/${idOf("entity", 0)}/grant`, toGrant(index)));
}

function* requestsOfKeys(): Iterable<readonly [url: string, body: object]> {
  const tenantId = idOf("tenant", 0);
  const permissions = { endpoints: { "/api/group": ["GET"] } };
  yield [`/api/api-key/${idOf("apiKey", 0)}`, { apiKey: { name: "Of a tenant", key: keys.tenant, tenantId } }];
  yield [`/api/api-key/${idOf("apiKey", 1)}`, { apiKey: { name: "Restricted", key: keys.restricted, permissions } }];
}

type Toward = readonly [url: string, body: object];

function applicationOf(index: number): Toward {
  const roles = index > 0 ? [] : Array.from({ length: 500 }, (_, role) => ({ id: idOf("role", role), name: `Role ${role}` }));
  const tenantId = idOf("tenant", 0);
  return [`/api/application/${idOf("application", index)}`, { application: { name: `Application ${index}`, roles, tenantId } }];
}

const toUser = (index: number): object => ({
  user: {
    tenantId: idOf("tenant", 0),
    email: `user${index}@example.com`,
    firstName: `First ${index % 100}`,
    lastName: `Last ${index}`,
    data: { index, list: ["a", "b"] },
  },
});
const registration: object = { registration: { applicationId: idOf("application", 0), roles: ["Role 0", "Role 1"] } };
// A half of them carries a role.
const toGroup = (index: number): object => ({
  group: { name: `Group ${index}`, tenantId: idOf("tenant", 0), data: { index } },
  ...(index % 2 === 0 && { roleIds: [idOf("role", 0)] }),
});

/** One group has most members, and one user is in most groups. */
function* memberships({ groups, members, users }: Counts): Iterable<object> {
  const ofFirst = Math.min(users, Math.floor(members * 0.7));
  for (let start = 0; start < ofFirst; start += membersAtOnce) {
    const length = Math.min(membersAtOnce, ofFirst - start);
    const named = Array.from({ length }, (_, index) => ({
      userId: idOf("user", start + index),
      id: idOf("member", start + index),
    }));
    yield { [idOf("group", 0)]: named };
  }
  const ofUser = Math.min(groups - 1, members - ofFirst);
  yield Object.fromEntries(
    Array.from({ length: ofUser }, (_, index) => [idOf("group", index + 1), [{ userId: idOf("user", 0) }]]),
  );
}

const others: readonly ((index: number) => Toward)[] = [
  (index) => [`/api/tenant/${idOf("tenant", index + 2)}`, { tenant: { name: `Tenant ${index + 2}` } }],
  (index) => [
    `/api/api-key/${idOf("apiKey", index + 2)}`,
    { apiKey: { name: `Key ${index}`, key: `a-key-of-the-soak-0123456789-0123456789-${index}` } },
  ],
  (index) => [`/api/key/generate/${idOf("key", index)}`, { key: { name: `Key ${index}`, algorithm: "HS256" } }],
  (index) => [
    `/api/webhook/${idOf("webhook", index)}`,
    { webhook: { url: `https://receiver${index}.example.com/`, connectTimeout: 1_000, readTimeout: 2_000, tenantIds: [] } },
  ],
  (index) => [
    `/api/consent/${idOf("consent", index)}`,
    { consent: { name: `Consent ${index}`, defaultMinimumAgeForSelfConsent: 1 } },
  ],
  (index) => [`/api/form/field/${idOf("field", index)}`, { field: { name: `Field ${index}`, key: `user.data.field${index}` } }],
  (index) => [
    `/api/form/${idOf("form", index)}`,
    { form: { name: `Form ${index}`, type: "adminUser", steps: [{ fields: [idOf("field", index)] }] } },
  ],
  (index) => [
    `/api/email/template/${idOf("template", index)}`,
    {
      emailTemplate: {
        name: `Template ${index}`,
        defaultSubject: "Hello",
        defaultHtmlTemplate: "Hello",
        defaultTextTemplate: "Hello",
      },
    },
  ],
  (index) => [
    `/api/ip-acl/${idOf("accessList", index)}`,
    { ipAccessControlList: { name: `List ${index}`, entries: [{ action: "Allow", startIPAddress: "*" }] } },
  ],
  (index) => [
    `/api/entity/type/${idOf("entityType", index)}`,
    { entityType: { name: `Type ${index}`, permissions: [{ id: idOf("permission", index), name: "read" }] } },
  ],
  (index) => [
    `/api/lambda/${idOf("lambda", index)}`,
    { lambda: { name: `Lambda ${index}`, type: "JWTPopulate", body: "function populate(jwt, user, registration) {}" } },
  ],
  (index) => ["/api/system/audit-log", { auditLog: { message: `Message ${index}`, insertUser: "soak" } }],
];

const userConsentOf = (index: number): Toward => [
  `/api/user/consent/${idOf("userConsent", index)}`,
  { userConsent: { consentId: idOf("consent", 0), giverUserId: idOf("user", index), userId: idOf("user", index) } },
];
const toEntity = (index: number): object => ({
  entity: { name: `Entity ${index}`, tenantId: idOf("tenant", 0), type: { id: idOf("entityType", 0) } },
});
const toGrant = (index: number): object => ({ grant: { userId: idOf("user", index), permissions: ["read"] } });

const atATime = 64;

async function sideBySide(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let task = tasks[next++]; task !== undefined; task = tasks[next++]) await task();
  };
  await Promise.all(Array.from({ length: atATime }, work));
}
