import { routes } from "../../src/families/index.js";
import type { Route } from "../../src/http/route/define-route.js";
import { RouteTable } from "../../src/http/route/match-route.js";
import { expectOk } from "./answer.js";
import { managedField } from "./families/forms-and-consents.js";
import { makeAction, takeAction } from "./families/user-actions.js";
import { allFamilyCases, type Body, type FamilyCase, makeApplication, makeGroup, makeRecord, makeUser } from "./families.js";
import { stageLink } from "./identity-providers.js";
import { anybody, password } from "./logins.js";
import { addBulk, addFlows, addImportJob, addPasskeys, formHeaders, toBody } from "./matrix-flows.js";
import { addLogs } from "./matrix-logs.js";
import { codeAt, secret, stepMs } from "./two-factor.js";
import { uuid, type World } from "./world.js";

/** One record of each family in a tenant: its path parameters, and bodies for POST and PUT. */
export interface Stage {
  readonly tenantId: string;
  readonly records: ReadonlyMap<string, StagedRecord>;
}

/** A record of a family; families are named as in the in-process API. */
export interface StagedRecord {
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly newBody: Body;
  /** Whether all tenants share the records of the family. */
  readonly isShared: boolean;
  /** The bodies of further operations, by verb; a text is a form. */
  readonly bodies?: Readonly<Record<string, Body | string>>;
  /** The parameters of operations that need others, by verb. */
  readonly otherParams?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A request of the matrix. */
export interface MatrixRequest {
  readonly method: string;
  readonly url: string;
  readonly body: Body | string | undefined;
}

const paths = new RouteTable(routes);
const familyNames: Readonly<Record<string, string>> = { generatedKeys: "keys", importedKeys: "keys" };

/** Makes a record of each family in a tenant; shared ones come from another stage if given. */
export async function setStage(world: World, tenantId: string, other?: Stage): Promise<Stage> {
  const records = new Map<string, StagedRecord>();
  for (const family of allFamilyCases) {
    const name = familyNames[family.name] ?? family.name;
    const known = family.isGlobal ? (other?.records.get(name) ?? records.get(name)) : undefined;
    records.set(name, known ?? (await stageRecord(world, family, tenantId, other === undefined ? 1 : 2)));
  }
  await addMember(world, tenantId, records);
  await addGrant(world, records);
  await addAction(world, records);
  await addLink(world, records);
  await addRegistration(world, tenantId, records);
  await addLogin(world, tenantId, records);
  await addFlows(world, tenantId, records);
  await addTwoFactor(world, tenantId, records);
  await addPasskeys(world, tenantId, records);
  await addClient(world, records);
  addBulk(records);
  await addImportJob(records, world, tenantId);
  await addSubmission(world, records);
  await addLogs(world, tenantId, records);
  addMail(records);
  return { tenantId, records };
}

async function stageRecord(world: World, family: FamilyCase, tenantId: string, number: number): Promise<StagedRecord> {
  const isShared = family.isGlobal;
  if (family.name === "tenants") {
    const bodyOf = (name: string): Body => ({ tenant: { name } });
    return { params: { tenantId }, body: bodyOf(`Tenant ${tenantId}`), newBody: bodyOf("A new one"), isShared };
  }
  const made = await makeRecord(world, family, tenantId, number);
  const match = paths.match("PUT", made.path);
  if (match?.kind !== "found") throw new Error(`There is no route to ${made.path}.`);
  const { userConsent } = made.request;
  const user: Readonly<Record<string, string>> = userConsent === undefined ? {} : { userId: String(userConsent.userId) };
  return { params: { ...match.params, ...user }, body: made.request, newBody: made.body(50 + number), isShared };
}

async function addMember(world: World, tenantId: string, records: Map<string, StagedRecord>): Promise<void> {
  const groupId = await makeGroup(world, tenantId, `With members ${tenantId}`);
  const userId = await makeUser(world, tenantId, "member@example.com");
  const body = { members: { [groupId]: [{ userId }] } };
  const made = expectOk(await world.caller.inTenant(tenantId).post("/api/group/member", body));
  const memberId = made.textAt(`members.${groupId}.0.id`);
  records.set("groupMembers", { params: { memberId, groupId }, body, newBody: body, isShared: false });
}

async function addGrant(world: World, records: Map<string, StagedRecord>): Promise<void> {
  const entityId = records.get("entities")?.params.entityId ?? "";
  const userId = records.get("users")?.params.userId ?? "";
  const body = { grant: { userId, permissions: [] } };
  expectOk(await world.caller.post(`/api/entity/${entityId}/grant`, body));
  records.set("entityGrants", { params: { entityId, userId }, body, newBody: body, isShared: false });
}

const withBody = (body: Body) => ({ body, newBody: body, isShared: false });

async function addLink(world: World, records: Map<string, StagedRecord>): Promise<void> {
  const provider = records.get("identityProviders")?.params.identityProviderId;
  records.set("identityProviderLinks", await stageLink(world, records.get("users")?.params.userId ?? "", provider));
}

async function addAction(world: World, records: Map<string, StagedRecord>): Promise<void> {
  const userId = records.get("users")?.params.userId ?? "";
  const userActionId = await makeAction(world, { name: `Of ${userId}`, preventLogin: false });
  const made = expectOk(await takeAction(world, userActionId, userId));
  const body = { action: { actioneeUserId: userId, actionerUserId: userId, expiry: 2_000_000_000_000, userActionId } };
  records.set("userActionLogs", {
    ...withBody(body),
    params: { actionId: made.textAt("action.id"), userId },
    bodies: { remove: body },
  });
  const comment = { userComment: { comment: "Kind", commenterId: userId, userId } };
  expectOk(await world.caller.post("/api/user/comment", comment));
  records.set("userComments", { ...withBody(comment), params: { userId } });
}

// The staged registration exists, so a new one needs another application.
async function addRegistration(world: World, tenantId: string, records: Map<string, StagedRecord>): Promise<void> {
  const known = records.get("registrations");
  if (known === undefined) throw new Error("There is no registration.");
  const applicationId = await makeApplication(world, tenantId, `Another ${tenantId}`);
  records.set("registrations", { ...known, newBody: { registration: { applicationId }, user: { email: "new@example.com" } } });
}

async function addLogin(world: World, tenantId: string, records: Map<string, StagedRecord>): Promise<void> {
  const caller = world.caller.inTenant(tenantId);
  const loginConfiguration = { allowTokenRefresh: true, generateRefreshTokens: true, requireAuthentication: true };
  const application = { name: `To log in ${tenantId}`, loginConfiguration };
  const applicationId = expectOk(await caller.post("/api/application", { application })).textAt("application.id");
  const credentials = { loginId: "login@example.com", password };
  const user = { email: credentials.loginId, password };
  const userId = expectOk(await caller.post("/api/user", { user })).textAt("user.id");
  expectOk(await caller.post(`/api/user/registration/${userId}`, { registration: { applicationId } }));
  const login = expectOk(await caller.post("/api/login", { ...credentials, applicationId }));
  const body = toBody({ ...credentials, applicationId, noJWT: true });
  const params = { userId, applicationId, changePasswordId: "no-such-change-password-id" };
  records.set("logins", { params, body, newBody: body, isShared: false });
  const refreshing = toBody({ refreshToken: login.textAt("refreshToken") });
  const ofToken = { tokenId: login.textAt("refreshTokenId"), userId };
  records.set("loginRecords", { params: { userId }, body: {}, newBody: {}, isShared: false });
  records.set("jwt", { params: ofToken, body: refreshing, newBody: refreshing, isShared: false });
}

// All tenants share templates, but recipients belong to one.
function addMail(records: Map<string, StagedRecord>): void {
  const known = records.get("emailTemplates");
  if (known === undefined) throw new Error("There is no email template.");
  const userIds = [records.get("users")?.params.userId ?? ""];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the service's own language.
  const preview = { emailTemplate: { defaultSubject: "Hello ${user.firstName}" } };
  records.set("emailTemplates", { ...known, bodies: { preview: toBody(preview), send: toBody({ userIds }) } });
  const text = toBody({ messageTemplate: { defaultTemplate: "Hello" } });
  records.set("messageTemplates", { ...known, ...records.get("messageTemplates"), bodies: { preview: text } });
}

// A user with a second factor, and a login that waits for it.
async function addTwoFactor(world: World, tenantId: string, records: Map<string, StagedRecord>): Promise<void> {
  const caller = world.caller.inTenant(tenantId);
  const loginId = "two-factor@example.com";
  const user = { email: loginId, mobilePhone: "555-0100", password };
  const userId = expectOk(await caller.post("/api/user", { user })).textAt("user.id");
  const { instant } = world.clock;
  const method = { code: codeAt(secret, instant), method: "authenticator", secret };
  expectOk(await caller.post(`/api/user/two-factor/${userId}`, method));
  const waiting = await caller.post("/api/login", { loginId, password });
  const [twoFactorId, methodId] = [waiting.textAt("twoFactorId"), waiting.textAt("methods.0.id")];
  // The code of the current step is used up.
  const code = codeAt(secret, instant + stepMs);
  const params = { userId, code, twoFactorId, methodId, twoFactorTrustId: "unknown-1" };
  // Before 1.26.0 there is only one second factor, which cannot be enabled again.
  const otherParams = { enable: { userId: records.get("users")?.params.userId ?? "" } };
  const another = "another secret of the matrix";
  const bodies: Readonly<Record<string, Body>> = {
    enable: toBody({ code: codeAt(another, instant), method: "authenticator", delivery: "None", secret: another }),
    login: toBody({ code, twoFactorId }),
    update: toBody({ methodId, name: "My telephone" }),
    ...Object.fromEntries(["start", "checkStatus", "send"].map((verb) => [verb, toBody({ userId })])),
    sendForLogin: toBody({ methodId }),
    startPasskey: toBody({}),
    makeRecoveryCodes: {},
  };
  records.set("twoFactor", { params, body: {}, newBody: {}, isShared: false, bodies, otherParams });
}

async function addClient(world: World, records: Map<string, StagedRecord>): Promise<void> {
  const shown = expectOk(await world.caller.get(`/api/entity/${records.get("entities")?.params.entityId}`));
  const [client_id, client_secret] = [shown.textAt("entity.clientId"), shown.textAt("entity.clientSecret")];
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret }).toString();
  const issued = expectOk(await anybody(world).post("/oauth2/token", form, formHeaders));
  const introspect = new URLSearchParams({ token: issued.textAt("access_token"), client_id, client_secret }).toString();
  const bodies = { token: form, introspect, userInfo: "" };
  records.set("oauth2", { params: {}, body: {}, newBody: {}, isShared: false, bodies });
}

// The family's form has an email and a password with its confirmation.
async function addSubmission(world: World, records: Map<string, StagedRecord>): Promise<void> {
  const known = records.get("forms");
  if (known === undefined) throw new Error("There is no form.");
  const submission = { "user.email": "new@example.com", "user.password": password, "confirm.user.password": password };
  const fieldIds = [await managedField(world, "user.email")];
  records.set("forms", { ...known, bodies: { describe: {}, validate: toBody({ fieldIds, submission }) } });
}

/** All ids that belong to the tenant alone. */
export function idsOf({ records, tenantId }: Stage): readonly string[] {
  const own = [...records.values()].filter((record) => !record.isShared);
  return [
    tenantId,
    ...new Set(
      own.flatMap(
        ({
          params: { code: _code, sendVerifyEmail: _one, sendVerifyPasswordEmail: _other, hardDelete: _flag, ...ids },
          body,
        }) => [...Object.values(ids), ...idsIn(body)],
      ),
    ),
  ];
}

// All tenants share consents, actions and entity types.
function idsIn(body: Body): readonly string[] {
  const own = JSON.stringify(body, (name, value) => (["consentId", "type", "userActionId"].includes(name) ? undefined : value));
  return own.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g) ?? [];
}

const makers = new Set(["create", "generate", "import"]);
const lists = new Set(["list", "recent", "search", "jwks", "publicKey"]);
const withoutBody = new Set(["search", "remove", "resume", "revoke", "cancel", "disable"]);

/** Bodies of operations that no family case covers. */
const bodies: Readonly<Record<string, Body>> = {
  "integrations.update": { integrations: {} },
  "integrations.patch": { integrations: {} },
  "moderation.notify": toBody({ type: "contentApproval", approvals: {} }),
  "logins.changePassword": toBody({ password }),
  "lambdas.restore": toBody({ version: 1 }),
  "lambdas.test": { lambda: { body: "function populate() {}", type: "JWTPopulate" } },
  "logins.logout": {},
  "keys.import": { key: { name: "Imported", kid: "imported", algorithm: "HS256", secret: "s".repeat(32) } },
};

/** Lists that are requested for a user. */
const listsOfUser = new Set(["loginRecords.recent", "userActionLogs.list", "userConsents.list", "jwt.list", "passkeys.list"]);

/** Operations that refuse dry runs, but store nothing. */
const real = new Set(["logins.login"]);

/**
 * The request of a route about a tenant's record, with its ids in the path or else in the query. It stores nothing. Throws if a
 * parameter or body of a new endpoint is not defined here.
 */
export function toRequest(
  { method, path, target }: Route<{ readonly name: string; readonly parameters: readonly string[] }>,
  stage: Stage,
): MatrixRequest {
  const [family = "", verb = ""] = target.name.split(".");
  const record = stage.records.get(family);
  const own = makers.has(verb) ? allFamilyCases.find(({ name }) => (familyNames[name] ?? name) === family) : undefined;
  const params: Readonly<Record<string, string | undefined>> = {
    ...record?.params,
    ...record?.otherParams?.[verb],
    ...(target.name === "lambdas.retrieveVersion" && { version: "1" }),
    ...(own?.takesId === true && { [own.idParameter]: uuid(777) }),
  };
  const query = new URLSearchParams(method === "GET" || real.has(target.name) ? {} : { dryRun: "true" });
  const filled = path.replaceAll(/:(\w+)/g, (_text, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`Say in test/support/matrix-stage.ts what :${name} of ${method} ${path} is.`);
    return value;
  });
  for (const name of target.parameters)
    if (params[name] !== undefined && !path.includes(`:${name}`) && isAsked(target.name, verb, name))
      query.set(name, params[name]);
  return { method, url: query.size === 0 ? filled : `${filled}?${query}`, body: bodyOfRoute(method, target.name, record) };
}

function isAsked(operation: string, verb: string, parameter: string): boolean {
  if (listsOfUser.has(operation)) return parameter === "userId";
  return !lists.has(verb) && !makers.has(verb);
}

function bodyOfRoute(method: string, operation: string, record: StagedRecord | undefined): Body | string | undefined {
  const verb = operation.split(".")[1] ?? "";
  if (method === "GET") return undefined;
  if (withoutBody.has(verb) && record?.bodies?.[verb] === undefined) return method === "DELETE" ? undefined : {};
  const body = record?.bodies?.[verb] ?? bodies[operation] ?? (makers.has(verb) ? record?.newBody : record?.body);
  if (body === undefined) throw new Error(`Say in test/support/matrix-stage.ts what the body of ${operation} is.`);
  return body;
}
