import { generateKeyPairSync } from "node:crypto";
import type { IdentityService } from "latchkey";
import { consoleApplicationId } from "latchkey/console";
import type { ApiResponse } from "latchkey/ports";
import { beforeAll, expect, test } from "vitest";
import { recordNames } from "../../adapters/console/guard/record-owners.js";
import { routes } from "../../src/families/index.js";
import { requirement } from "../support/requirement.js";
import { uuid } from "../support/world.js";
import { type ConsoleClient, createConsoleClient, password, setUpFirst, toClient } from "./support/console-client.js";

/** Parameters that name no record of a user: others, the user, and what proves a login to everybody. */
const otherNames = [
  ...["applicationId", "async", "code", "columns", "connectorId", "consentId", "email", "emailTemplateId", "encryptionScheme"],
  ...["entityId", "entityTypeId", "events", "exceptTokenId", "factor", "fieldId", "formId", "grantId", "groupId", "hardDelete"],
  ...["identityProviderId", "identityProviderUserId", "integrationsId", "ipAccessControlListId", "ipAddress", "jobId", "keyId"],
  ...["lambdaId", "locale", "messageTemplateId", "messengerId", "methodId", "name", "onDuplicate", "permissionId", "reactivate"],
  ...["recipientEntityId", "registrationId", "roleId", "sendVerifyEmail", "sendVerifyPasswordEmail", "tenantId", "themeId"],
  ...["twoFactorId", "userActionId", "userActionReasonId", "userCommentId", "userId", "webhookEventLogId", "webhookId"],
];

let now = Date.now();
let identity: IdentityService;
let stale: ConsoleClient;
let support: ConsoleClient;
let administratorId: string;

beforeAll(async () => {
  stale = await createConsoleClient({ clock: () => now });
  expect((await setUpFirst(stale)).status).toBe(200);
  ({ identity } = stale);
  administratorId = (await identity.users.find({ email: "ann@example.com" })).user.id;
  const registration = { applicationId: consoleApplicationId, roles: ["support"] };
  await identity.registrations.create({ user: { email: "sam@example.com", password }, registration });
  await identity.users.create({ userId: uuid(50), user: { email: "bob@example.com", password } });
  const tenantId = (await identity.tenants.list()).tenants[0]?.id ?? "";
  await identity.tenants.patch({ tenantId, patch: { tenant: { emailConfiguration: { verifyEmail: true } } } });
  now += 600_000;
  support = toClient(identity, stale.console, "/admin");
  const signIn = { loginId: "sam@example.com", password };
  expect((await support.send("POST", "/session", { body: signIn })).status).toBe(200);
});

/** Ids of a record of each kind that a user has. */
async function makeRecords(userId: string, number: number): Promise<Readonly<Record<string, string>>> {
  const { email = "" } = (await identity.users.retrieve({ userId })).user;
  await identity.logins.login({ loginId: email, password, applicationId: consoleApplicationId });
  const publicKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" });
  const passkey = { algorithm: "ES256" as const, credentialId: userId.replaceAll("-", ""), publicKey: String(publicKey) };
  await identity.passkeys.import({ credentials: [{ ...passkey, relyingPartyId: "example.com", userId }] });
  const userActionId = uuid(number);
  await identity.userActions.create({ userActionId, userAction: { name: `ban ${number}`, temporal: true } });
  const taken = { userActionId, actioneeUserId: userId, actionerUserId: uuid(50), expiry: now + 3_600_000 };
  const { action } = await identity.userActionLogs.create({ action: taken });
  const { consent } = await identity.consents.create({
    consent: { name: `news ${number}`, defaultMinimumAgeForSelfConsent: 13 },
  });
  const given = await identity.userConsents.create({ userConsent: { consentId: consent.id, giverUserId: userId, userId } });
  const changing = await issue("/api/user/forgot-password", { loginId: email, sendForgotPasswordMessage: false });
  const verifying = await issue("/api/identity/verify/start", { loginId: email, loginIdType: "email" });
  const { group } = await identity.groups.create({ group: { name: `group ${number}` } });
  const { members } = await identity.groupMembers.add({ members: { [group.id]: [{ userId }] } });
  return {
    actionId: action.id,
    changePasswordId: String(changing.changePasswordId),
    memberId: String(members[group.id]?.[0]?.id),
    passkeyId: (await identity.passkeys.list({ userId })).credentials[0]?.id ?? "",
    token: "a-value-of-a-session",
    tokenId: (await identity.jwt.list({ userId })).refreshTokens[0]?.id ?? "",
    userConsentId: given.userConsent.id,
    verificationId: String(verifying.verificationId),
  };
}

/** The answer to a key: in process, ids that prove something leave in messages alone. */
async function issue(url: string, body: object): Promise<Readonly<Record<string, string>>> {
  const headers = { authorization: "a-key-of-the-test-0123456789abcdef" };
  const response = await identity.inject({ method: "POST", url, headers, body });
  expect(response.status).toBe(200);
  return JSON.parse(response.body) as Record<string, string>;
}

/** A call of the console. */
type Call = readonly [method: string, path: string, body?: object];

/** Each write that names a record by a parameter, in each place where the parameter may stand. */
function listCalls(name: string, value: string): readonly Call[] {
  const encoded = value.replace(/[-\w]/, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return routes.flatMap(({ method, path, target }): Call[] => {
    if (method === "GET" || !path.startsWith("/api/")) return [];
    const isInPath = path.split("/").includes(`:${name}`);
    if (!isInPath && !target.parameters.includes(name)) return [];
    const rest = (isInPath ? path.replace(`/:${name}`, "") : path).replace(/:\w+/g, uuid(999));
    const toPath = (one: string): string => path.replace(`:${name}`, one).replace(/:\w+/g, uuid(999));
    const inPath = [value, encoded, `${encoded}/`].map((one): Call => [method, toPath(one), {}]);
    const inQuery = [value, encoded].map((one): Call => [method, `${rest}?${name}=x&${name}=${one}`, {}]);
    return [...(isInPath ? inPath : []), ...(target.parameters.includes(name) ? inQuery : []), [method, rest, { [name]: value }]];
  });
}

const refusalOf = ({ body }: ApiResponse): string =>
  /\[(?:administrators|confirmation_required|couldNotConvert)\]/.exec(body)?.[0] ?? "";

test("each parameter of a write is known to name a record of a user, or none", () => {
  const names = routes.flatMap(({ method, path, target }) =>
    method === "GET"
      ? []
      : [...target.parameters, ...path.split("/").flatMap((part) => (part.startsWith(":") ? part.slice(1) : []))],
  );
  expect([...new Set(names)].toSorted()).toEqual([...otherNames, ...recordNames].toSorted());
});

requirement(
  "console.administrators",
  "a record of an administrator is changed as the administrator is, however it is named",
  async () => {
    const records = await makeRecords(administratorId, 60);
    expect(Object.keys(records).toSorted()).toEqual(recordNames.toSorted());
    const others = await makeRecords(uuid(50), 70);
    const tried: string[] = [];
    for (const [name, value] of Object.entries(records))
      for (const [method, path, body] of listCalls(name, value)) {
        const refusal = refusalOf(await stale.send(method, path, { body }));
        expect([method, path, body, refusal]).toEqual([method, path, body, "[confirmation_required]"]);
        tried.push(`${method} ${name}`);
      }
    expect(new Set(tried).size).toBeGreaterThan(recordNames.length);
    for (const [name, value] of Object.entries(others))
      for (const [method, path, body] of name === "memberId" || name === "token" ? [] : listCalls(name, value).slice(0, 2))
        expect([method, path, refusalOf(await stale.send(method, path, { body }))]).toEqual([method, path, ""]);
  },
);

requirement(
  "console.administrators",
  "support ends no session of an administrator by its id or value, and those of users",
  async () => {
    const [own, other] = await Promise.all([makeSession("ann@example.com"), makeSession("bob@example.com")]);
    for (const path of [`/${own.id}`, `?tokenId=${own.id}`, `?token=${own.value}`, `?applicationId=${consoleApplicationId}`])
      expect([path, refusalOf(await support.send("DELETE", `/api/jwt/refresh${path}`))]).toEqual([path, "[administrators]"]);
    expect((await support.send("DELETE", `/api/jwt/refresh/${other.id}`)).status).toBe(200);
  },
);

async function makeSession(loginId: string): Promise<{ readonly id: string; readonly value: string }> {
  const answer = await identity.logins.login({ loginId, password, applicationId: consoleApplicationId });
  if (!("refreshTokenId" in answer)) throw new Error("The login did not end.");
  return { id: String(answer.refreshTokenId), value: String(answer.refreshToken) };
}

requirement("console.administrators", "a % that no decoder reads alike is refused, and hides nothing", async () => {
  const id = administratorId.replaceAll("-", "%2D");
  const calls: readonly Call[] = [
    ["DELETE", `/api/user?userId=${id}`],
    ["DELETE", `/api/user/bulk?userIds=${id}&dryRun=true`],
    ["DELETE", `/api/jwt/refresh?userId=${id}`],
    ["DELETE", `/api/webauthn?userId=${id}`],
    ["PATCH", `/api/user?userId=${id}`, { user: { password } }],
    ["PATCH", `/api/user/${id}`, { user: { password } }],
    ["PUT", `/api/user?userId=${id}&reactivate=true`],
    ["DELETE", `/api/user/registration?userId=${id}&applicationId=${consoleApplicationId}`],
    ["PATCH", `/api/application?applicationId=${consoleApplicationId.replaceAll("-", "%2D")}`, { application: {} }],
    ["POST", "/api/user/forgot-password?loginId=ann%40example.com", {}],
    ["DELETE", `/api/tenant/${(await identity.tenants.list()).tenants[0]?.id}`],
  ];
  for (const [method, path, body] of calls) {
    expect([path, refusalOf(await stale.send(method, path, { body }))]).toEqual([path, "[confirmation_required]"]);
    for (const malformed of ["%", "%ZZ", "%C3", "%ED%A0%80"])
      for (const spoiled of [
        `${path}${path.includes("?") ? "&" : "?"}x=${malformed}`,
        path.replace("/api/user", `/api/user${malformed}`),
      ]) {
        if (spoiled === path) continue;
        const { status } = await stale.send(method, spoiled, { body });
        expect([spoiled, status]).toEqual([spoiled, 400]);
      }
  }
  expect((await identity.users.retrieve({ userId: administratorId })).user.active).toBe(true);
});
