import { deleteBodyParameters } from "../../src/http/transport/read-parameters.js";

/** What neither routes nor types say of operations: how they are summed up, and the statuses that only some have. */

const summaries: Readonly<Record<string, string>> = {
  "groupMembers.add": "Add members to groups",
  "groupMembers.replace": "Replace all members of groups",
  "groupMembers.remove": "Remove members from groups",
  "keys.generate": "Generate a signing key",
  "keys.import": "Import a signing key",
  "keys.jwks": "List the public keys as a JSON Web Key Set",
  "keys.publicKey": "List the public keys in PEM, or retrieve one",
  "identityProviderLinks.create": "Link a user to an account at an identity provider",
  "identityProviderLinks.find": "Retrieve the link of an account, or list the links of a user",
  "identityProviderLinks.remove": "Remove the link of a user to an account",
  "identityProviderLinks.retrievePending": "Retrieve a link that waits for its user",
  "identityProviders.login": "Complete a login by an identity provider",
  "identityProviders.lookup": "Find the identity provider of a domain",
  "identityProviders.reconcile": "Log in with a token of a known issuer",
  "identityProviders.start": "Start a login by an identity provider",
  "userActionLogs.create": "Take an action on a user",
  "userActionLogs.list": "List the actions that were taken on a user",
  "userActionLogs.remove": "Cancel an action on a user",
  "userActionLogs.retrieve": "Retrieve an action that was taken on a user",
  "userActionLogs.update": "Change when an action on a user ends",
  "userComments.list": "List the comments on a user",
  "userConsents.list": "List the consents of a user",
  "userConsents.remove": "Revoke a user's consent",
  "users.find": "Find a user by email, username or token",
  "forms.describe": "Describe a form for a front end",
  "forms.validate": "Validate a submission",
  "apiKeys.rotate": "Give an API key another value",
  "auditLogs.export": "Export the audit log",
  "bulkUsers.export": "Export users",
  "bulkUsers.import": "Import users",
  "bulkUsers.importRefreshTokens": "Import refresh tokens",
  "bulkUsers.remove": "Deactivate or remove users",
  "importJobs.start": "Upload users to import",
  "importJobs.retrieve": "Retrieve an import job",
  "importJobs.list": "List import jobs",
  "importJobs.results": "Read the results of an import job",
  "importJobs.progress": "Follow an import job",
  "importJobs.resume": "Continue an import job",
  "importJobs.cancel": "Cancel or remove an import job",
  "emailTemplates.preview": "Preview an email",
  "emailTemplates.send": "Send an email",
  "messageTemplates.preview": "Preview a text message",
  "entityGrants.upsert": "Grant permissions on an entity",
  "entityGrants.find": "Find the grants on an entity",
  "webhooks.test": "Send a test event to a webhook",
  "webhookEventLogs.retrieveAttempt": "Retrieve one attempt to deliver an event",
  "webhookEventLogs.resend": "Send an event once more",
  "webhookEventLogs.replay": "Send all events of a search once more",
  "lambdas.restore": "Restore an earlier version of a lambda",
  "lambdas.retrieveVersion": "Retrieve a version of a lambda",
  "lambdas.test": "Try out a lambda",
  "lambdas.versions": "List the versions of a lambda",
  "moderation.notify": "Tell what the moderation decided of a username",
  "system.status": "Retrieve the status of the service",
  "system.health": "Check whether the service can do its work",
  "system.version": "Retrieve the version of the reference that the service behaves like",
  "system.metrics": "Retrieve the metrics",
  "system.openApi": "Retrieve this document",
  "twoFactor.secret": "Make a secret for a second factor",
  "twoFactor.enable": "Enable a second factor",
  "twoFactor.disable": "Disable a second factor",
  "twoFactor.update": "Change the name of a method",
  "twoFactor.start": "Start a second factor apart from a login",
  "twoFactor.status": "Retrieve whether a login needs a second factor",
  "twoFactor.checkStatus": "Check whether an action needs a second factor",
  "twoFactor.send": "Send a code",
  "twoFactor.sendForLogin": "Send the code that a login waits for",
  "twoFactor.startPasskey": "Start the second factor of a login by a passkey",
  "twoFactor.login": "Complete a login with a second factor",
  "twoFactor.recoveryCodes": "Retrieve how many recovery codes are left",
  "twoFactor.makeRecoveryCodes": "Make new recovery codes",
  "loginRecords.export": "Export the records of logins",
  "loginRecords.recent": "List the newest logins",
  "loginRecords.search": "Search the records of logins",
  "logins.login": "Log a user in",
  "logins.ping": "Note a login that happened elsewhere",
  "logins.logout": "Log a user out",
  "logins.changePassword": "Choose a new password",
  "logins.forgotPassword": "Start the change of a forgotten password",
  "logins.checkPasswordChange": "Check whether a password can be changed",
  "passkeys.startRegistration": "Start the registration of a passkey",
  "passkeys.completeRegistration": "Complete the registration of a passkey",
  "passkeys.start": "Start a login or a step-up with a passkey",
  "passkeys.login": "Complete a login with a passkey",
  "passkeys.assert": "Check a passkey without a login",
  "passkeys.import": "Import passkeys",
  "passkeys.retrieve": "Retrieve a passkey",
  "passkeys.list": "List the passkeys of a user",
  "passkeys.remove": "Remove a passkey, or all of a user",
  "passwordless.start": "Start a login without a password",
  "passwordless.send": "Send the mail of a login without a password",
  "passwordless.login": "Complete a login without a password",
  "tenants.passwordRules": "Retrieve the rules for passwords",
  "verifications.resendEmail": "Send the mail that verifies an email once more",
  "verifications.verifyEmail": "Verify an email",
  "verifications.resendRegistration": "Send the mail that verifies a registration once more",
  "verifications.verifyRegistration": "Verify a registration",
  "verifications.startIdentity": "Start the verification of a login id",
  "verifications.sendIdentity": "Send the mail of a verification",
  "verifications.completeIdentity": "Complete the verification of a login id",
  "verifications.verifyIdentity": "Mark a login id as verified",
  "jwt.refresh": "Refresh an access token",
  "jwt.list": "List refresh tokens",
  "jwt.retrieve": "Retrieve a refresh token",
  "jwt.revoke": "Revoke refresh tokens",
  "jwt.validate": "Validate an access token",
  "oauth2.token": "Get a token for an entity",
  "oauth2.introspect": "Introspect a token",
  "oauth2.userInfo": "Retrieve who the user of a token is",
};

const verbs: Readonly<Record<string, (one: string, many: string) => string>> = {
  create: (one) => `Create ${one}`,
  retrieve: (one) => `Retrieve ${one}`,
  list: (_one, many) => `List ${many}`,
  update: (one) => `Replace ${one}`,
  patch: (one) => `Patch ${one}`,
  remove: (one) => `Remove ${one}`,
  search: (_one, many) => `Search ${many}`,
};

/** The summary of an operation. @throws Error where nobody wrote one for a verb of its own. */
export function summaryOf(name: string): string {
  const [family = "", verb = ""] = name.split(".");
  const many = wordsOf(family);
  const one = family === "integrations" ? "the integrations" : withArticle(singularOf(many));
  const summary = summaries[name] ?? verbs[verb]?.(one, many);
  if (summary === undefined) throw new Error(`${name} has no summary: write one in scripts/openapi/operation-notes.ts.`);
  return summary;
}

/** `group` of `groups`. */
export function singularOf(plural: string): string {
  if (plural.endsWith("ies")) return `${plural.slice(0, -3)}y`;
  return plural.replace(/s$/, "");
}

function wordsOf(family: string): string {
  return family
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^api /, "API ")
    .replace(/logs$/, "log entries");
}

function withArticle(noun: string): string {
  return `${/^[aeiAE](?!P?I)|^API/.test(noun) ? "an" : "a"} ${noun}`;
}

/** The successes of operations that have others than 200: status → schema of the answer; null for an empty one. */
export const successes: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  "tenants.remove": { 200: null, 202: null },
  "emailTemplates.send": { 202: "" },
  "importJobs.start": { 202: "" },
  "system.status": { 200: "", 452: "" },
  "identityProviders.login": { ...loginAnswers(), 232: "PendingLinkLoginResponse" },
  "identityProviders.reconcile": { ...loginAnswers(), 232: "PendingLinkLoginResponse" },
  "logins.login": loginAnswers(),
  "logins.ping": { 200: "LoginResponse", 202: "LoginResponse" },
  "passkeys.login": loginAnswers(),
  "passwordless.login": loginAnswers(),
  "twoFactor.login": loginAnswers(),
  "twoFactor.status": statusAnswers(),
  "twoFactor.checkStatus": statusAnswers(),
};

function statusAnswers(): Readonly<Record<string, string>> {
  return { 200: "", 242: "" };
}

function loginAnswers(): Readonly<Record<string, string>> {
  return {
    200: "LoginResponse",
    202: "LoginResponse",
    203: "PasswordChangeResponse",
    212: "VerificationRequiredResponse",
    213: "VerificationRequiredResponse",
    242: "SecondFactorResponse",
  };
}

/** The refusals that only some operations have, by their status. */
export const refusals: Readonly<Record<string, readonly number[]>> = {
  "identityProviderLinks.create": [409],
  "identityProviders.login": [401, 404, 409, 410, 423, 429, 502],
  "identityProviders.lookup": [404],
  "identityProviders.reconcile": [401, 404, 409, 410, 423, 429, 502],
  "identityProviders.start": [401, 409, 502],
  "importJobs.start": [413, 429],
  "importJobs.cancel": [409],
  "importJobs.resume": [409],
  "logins.login": [404, 409, 410, 423, 429, 502, 504],
  "logins.ping": [409, 410, 504],
  "logins.changePassword": [404, 423, 429],
  "logins.forgotPassword": [403, 404, 422, 429],
  "passkeys.startRegistration": [404],
  "passkeys.completeRegistration": [404],
  "passkeys.start": [404],
  "passkeys.login": [404, 409, 410],
  "passkeys.assert": [404],
  "passkeys.list": [404],
  "passwordless.start": [404],
  "passwordless.send": [403, 404, 422, 429],
  "passwordless.login": [404, 409, 410, 423, 429],
  "users.create": [403, 422],
  "registrations.create": [403, 422],
  "verifications.resendEmail": [403, 422, 429],
  "verifications.resendRegistration": [403, 422, 429],
  "verifications.verifyEmail": [404, 423, 429],
  "verifications.verifyRegistration": [404, 423, 429],
  "verifications.startIdentity": [404],
  "verifications.sendIdentity": [403, 404, 422, 429],
  "verifications.completeIdentity": [404, 423, 429],
  "verifications.verifyIdentity": [404],
  "logins.logout": [401],
  "jwt.refresh": [401, 404, 423, 429, 504],
  "oauth2.token": [401, 423, 429],
  "oauth2.introspect": [401, 423, 429],
  "twoFactor.enable": [421, 423, 429],
  "twoFactor.disable": [421, 423, 429],
  "twoFactor.login": [404, 409, 410, 421, 423, 429, 504],
  "twoFactor.send": [403, 422, 429],
  "twoFactor.sendForLogin": [403, 404, 422, 429],
  "twoFactor.start": [404, 504],
  "twoFactor.startPasskey": [404],
  "twoFactor.status": [404],
  "twoFactor.checkStatus": [404],
};

/** Members of a body that a query may have in its place. */
export const queryMembers: Readonly<Record<string, readonly string[]>> = {
  "bulkUsers.remove": ["userIds"],
  "logins.logout": ["global", "refreshToken"],
};

/** Parameters that a body may name in place of the URL, by operation; of each DELETE those that the published clients send. */
export function bodyParametersOf(name: string, method: string): readonly string[] {
  if (name === "logins.ping") return ["applicationId", "ipAddress", "userId"];
  return method === "DELETE" ? deleteBodyParameters : [];
}

/** Operations that are no record's: they change nothing, or nothing that a dry run could show. */
export const withoutDryRun: ReadonlySet<string> = new Set([
  "emailTemplates.preview",
  "forms.describe",
  "forms.validate",
  "lambdas.test",
  "messageTemplates.preview",
  "webhooks.test",
  "jwt.refresh",
  ...["login", "ping", "logout"].map((verb) => `logins.${verb}`),
  ...["start", "startPasskey", "send", "sendForLogin", "login"].map((verb) => `twoFactor.${verb}`),
]);

/** Answers that are no JSON, by operation: their media type. */
export const textAnswers: Readonly<Record<string, string>> = {
  "auditLogs.export": "application/x-ndjson",
  "bulkUsers.export": "application/x-ndjson",
  "importJobs.progress": "text/event-stream",
  "importJobs.results": "application/x-ndjson",
  "loginRecords.export": "application/zip",
  "system.metrics": "text/plain",
};
