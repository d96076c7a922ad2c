import { SignJWT } from "jose";
import { globalScope } from "latchkey/ports";
import { changeJob, toJob } from "../../src/import/import-jobs/job-record.js";
import { importJobsTable } from "../../src/records/import-jobs/family.js";
import { expectOk } from "./answer.js";
import { SoftwareAuthenticator, testPage } from "./authenticator.js";
import type { Body } from "./families.js";
import { finish, upload } from "./import-jobs.js";
import { importKey, nameForTokens } from "./keys.js";
import { password } from "./logins.js";
import { plainTemplate } from "./mails.js";
import type { StagedRecord } from "./matrix-stage.js";
import { beginLogin, beginRegistration, register, webAuthnConfiguration } from "./passkeys.js";
import { uuid, type World } from "./world.js";

/** A user with a pending email and registration verification, a passwordless start and a password change. */
export async function addFlows(world: World, tenantId: string, records: Map<string, StagedRecord>): Promise<void> {
  const caller = world.caller.inTenant(tenantId);
  const loginId = `flows-${tenantId}@example.com`;
  const template = { ...plainTemplate, name: `Of ${tenantId}` };
  const templateId = expectOk(await world.caller.post("/api/email/template", { emailTemplate: template })).textAt(
    "emailTemplate.id",
  );
  const emailConfiguration = { verificationEmailTemplateId: templateId, passwordlessEmailTemplateId: templateId };
  expectOk(await world.caller.patch(`/api/tenant/${tenantId}`, { tenant: { emailConfiguration } }));
  const application = { name: `Flows ${tenantId}`, passwordlessConfiguration: { enabled: true }, verifyRegistration: true };
  const applicationId = expectOk(await caller.post("/api/application", { application })).textAt("application.id");
  const user = { email: loginId, password, verified: false };
  const registration = { applicationId };
  const registered = expectOk(await caller.post("/api/user/registration", { registration, user }));
  const ofEmail = expectOk(
    await caller.put(`/api/user/verify-email?email=${loginId}&applicationId=${applicationId}&sendVerifyEmail=false`),
  );
  const verificationId = ofEmail.textAt("verificationId");
  const code = expectOk(await caller.post("/api/passwordless/start", { applicationId, loginId })).textAt("code");
  const forgot = { loginId, applicationId, sendForgotPasswordMessage: false };
  const changePasswordId = expectOk(await caller.post("/api/user/forgot-password", forgot)).textAt("changePasswordId");
  const known = records.get("logins");
  if (known === undefined) throw new Error("There is no login.");
  records.set("logins", {
    ...known,
    params: { ...known.params, changePasswordId },
    bodies: { forgotPassword: toBody(forgot) },
  });
  const asked = toBody({ applicationId, loginId });
  const passwordless = { start: asked, send: toBody({ code }), login: toBody({ code }) };
  records.set("passwordless", { params: {}, body: asked, newBody: asked, isShared: false, bodies: passwordless });
  const ofRegistration = registered.textAt("registrationVerificationId");
  const silent = { sendVerifyEmail: "false", sendVerifyPasswordEmail: "false" };
  const identity = toBody({ applicationId, loginId, loginIdType: "email" });
  const bodies: Readonly<Record<string, Body>> = {
    resendEmail: {},
    resendRegistration: {},
    verifyEmail: toBody({ verificationId }),
    verifyRegistration: toBody({ verificationId: ofRegistration }),
    startIdentity: identity,
    sendIdentity: toBody({ verificationId }),
    completeIdentity: toBody({ verificationId }),
    verifyIdentity: identity,
  };
  const params = { email: loginId, applicationId, verificationId, ...silent };
  // The verification id of a gated login changes an address, which is another call.
  const otherParams = { resendEmail: { verificationId: "" }, verifyRegistration: { verificationId: ofRegistration } };
  records.set("verifications", { params, body: {}, newBody: {}, isShared: false, bodies, otherParams });
}

/** A user with a passkey, and an authenticator's answers to challenges. */
export async function addPasskeys(world: World, tenantId: string, records: Map<string, StagedRecord>): Promise<void> {
  const caller = world.caller.inTenant(tenantId);
  expectOk(await world.caller.patch(`/api/tenant/${tenantId}`, { tenant: { webAuthnConfiguration } }));
  const userId = records.get("users")?.params.userId ?? "";
  const authenticator = new SoftwareAuthenticator();
  const { id: passkeyId } = await register(caller, authenticator, { fields: { userId } });
  const another = new SoftwareAuthenticator().create(await beginRegistration(caller, { userId }));
  const signed = async () => authenticator.get(await beginLogin(caller, { applicationId: undefined }));
  const { credentialId, pem: publicKey } = new SoftwareAuthenticator();
  const bodies: Readonly<Record<string, Body>> = {
    startRegistration: toBody({ displayName: "My phone", userId }),
    completeRegistration: toBody({ credential: another, userId, ...testPage }),
    start: toBody({ userId }),
    login: toBody({ credential: await signed(), ...testPage }),
    assert: toBody({ credential: await signed(), ...testPage }),
    import: toBody({ credentials: [{ algorithm: "ES256", credentialId, publicKey, userId }] }),
  };
  records.set("passkeys", { params: { passkeyId, userId }, body: {}, newBody: {}, isShared: false, bodies });
}

/** The bodies of calls about many users. */
export function addBulk(records: Map<string, StagedRecord>): void {
  const userId = records.get("users")?.params.userId;
  const groupId = records.get("groups")?.params.groupId;
  const users = [{ username: "imported", memberships: [{ groupId }] }];
  const bodies = {
    import: toBody({ users }),
    importRefreshTokens: toBody({ refreshTokens: [{ token: "a token of 16 or more", userId }] }),
    remove: toBody({ userIds: [userId] }),
  };
  records.set("bulkUsers", { params: {}, body: {}, newBody: {}, isShared: false, bodies });
}

/** A canceled import job. */
export async function addImportJob(records: Map<string, StagedRecord>, world: World, tenantId: string): Promise<void> {
  const { body } = await upload(world, JSON.stringify({ username: "by job" }), { headers: { "x-service-tenantid": tenantId } });
  const { job } = await finish(world, body.job.id);
  await world.storage.transaction(async (tx) => {
    const stored = await tx.retrieve(globalScope, importJobsTable, job.id);
    if (stored !== undefined) await changeJob(tx, toJob(stored), { job: { state: "Canceled" } });
  });
  const params = { jobId: job.id, hardDelete: "true" };
  const bodies = { start: JSON.stringify({ username: "uploaded" }) };
  records.set("importJobs", { params, body: {}, newBody: {}, isShared: false, bodies });
}

/** The headers of a form. */
export const formHeaders: Readonly<Record<string, string>> = { "content-type": "application/x-www-form-urlencoded" };

/** The headers of a body: uploads are lines of JSON, other texts are forms. */
export function headersOf(body: Body | string | undefined): Readonly<Record<string, string>> {
  if (typeof body !== "string") return {};
  return body.startsWith("{") ? { "content-type": "application/x-ndjson" } : formHeaders;
}

/** Any object as a body. */
export function toBody(body: object): Body {
  return body as Body;
}

/** Signs tokens with an imported key, by an independent library. */
export async function createSigner(world: World): Promise<(sub: string, claims: object, header: object) => Promise<string>> {
  const secret = "a secret of the matrix that is long enough";
  await importKey(world.caller, { kid: "matrix", algorithm: "HS256", secret }, uuid(991));
  await nameForTokens(world.caller, world.defaultTenantId, uuid(991));
  return (sub, claims, header) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "HS256", kid: "matrix", ...header })
      .setSubject(sub)
      .setIssuedAt(Math.floor(world.clock.instant / 1_000))
      .setExpirationTime(Math.floor(world.clock.instant / 1_000) + 3_600)
      .sign(Buffer.from(secret));
}
