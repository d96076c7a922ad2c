// Logins with passwords, of a directory and of the service, client credentials, and forms.
import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { openIdConnectLogins } from "latchkey/oidc";
import { entryOf, ldapId, logInBy, makeLdap, policy, setPolicies, startConnected } from "../../connectors/support/connectors.js";
import { startLdapServer } from "../../connectors/support/ldap-server.js";
import { expectOk } from "../../support/answer.js";
import { askToken, startOffice } from "../../support/clients.js";
import { managedField } from "../../support/families/forms-and-consents.js";
import { makeFormOf, validate } from "../../support/forms.js";
import { arrangeApplication, arrangeProvider, providerId } from "../../support/identity-providers.js";
import { functionOf, giveApplication, giveTenant, makeStatements } from "../../support/lambda-places.js";
import { anybody, arrangeLogin, claimsOf, ids, loginBody } from "../../support/logins.js";
import { start } from "./start.js";

/** The status of a login whose tenant has a lambda of the statements, and the answer. */
async function logInWithTenant(path: string, type: "LoginValidation" | "MFARequirement", statements: string) {
  const world = await start();
  await arrangeLogin(world);
  await giveTenant(world, path, type, statements);
  return world.caller.post("/api/login", loginBody());
}

/** The error of a login that the lambda refuses. */
export async function refuseLogin(statements: string): Promise<unknown> {
  const answer = await logInWithTenant("lambdaConfiguration.loginValidationId", "LoginValidation", statements);
  return [answer.status, answer.at("generalErrors.0.code")];
}

/** The status of a login of a user without a second factor. */
export async function requireFactor(statements: string): Promise<unknown> {
  return (await logInWithTenant("lambdaConfiguration.multiFactorRequirementId", "MFARequirement", statements)).status;
}

/** The mark of the lambda in a client token. */
export async function readClientToken(statements: string): Promise<unknown> {
  const { client, world } = await startOffice(start);
  const path = "oauthConfiguration.clientCredentialsAccessTokenPopulateLambdaId";
  await giveTenant(world, path, "ClientCredentialsJWTPopulate", statements);
  return claimsOf(expectOk(await askToken(world, client)).textAt("access_token")).mark;
}

/** What the lambda made of an entry of an LDAP directory that logs in. */
export async function logInByLdap(statements: string): Promise<unknown> {
  const server = await startLdapServer({ entries: [entryOf("ann")] });
  const world = await startConnected(start);
  await makeLdap(world, server.url, {}, functionOf("LDAPConnectorReconcile", statements));
  await setPolicies(world, [policy(ldapId)]);
  return expectOk(await logInBy(world, "ann@example.com")).at("user.data.mark");
}

/** What the lambda made of a token that another system signed. */
export async function logInByToken(statements: string): Promise<unknown> {
  const world = await start({ clock: Date.now, identityProviders: [openIdConnectLogins()] });
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const made = expectOk(await world.caller.post("/api/key/import", { key: { name: "Issuer", publicKey: pem } }));
  await arrangeApplication(world);
  const reconcileId = await makeStatements(world, "ExternalJWTReconcile", statements);
  const settings = { keys: { ours: made.textAt("key.id") }, claimMap: { mail: "email" }, lambdaConfiguration: { reconcileId } };
  await arrangeProvider(world, "ExternalJWT", settings);
  const claims = { mail: "ann@example.com", sub: "ann|7" };
  const encodedJWT = await new SignJWT(claims)
    .setProtectedHeader({ alg: "RS256", kid: "ours" })
    .setExpirationTime("1 minute")
    .sign(privateKey);
  const body = { applicationId: ids.application, encodedJWT, identityProviderId: providerId };
  return expectOk(await anybody(world).post("/api/identity-provider/login", body)).at("user.data.mark");
}

/** The error of a form that the lambda refuses. */
export async function refuseForm(statements: string): Promise<unknown> {
  const world = await start();
  await arrangeLogin(world);
  const formId = await makeFormOf(world, [await managedField(world, "user.lastName")]);
  const registrationConfiguration = { enabled: true, type: "advanced", formId };
  const path = `/api/application/${ids.application}`;
  expectOk(await world.caller.patch(path, { application: { registrationConfiguration } }));
  const type = "SelfServiceRegistrationValidation";
  await giveApplication(world, "selfServiceRegistrationValidationId", type, statements);
  const answer = await validate(world, formId, { submission: { "user.lastName": "Lee" } });
  return [answer.status, answer.at("generalErrors.0.code")];
}
