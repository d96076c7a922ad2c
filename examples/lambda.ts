/** A claim of one's own in every access token: save a lambda, try it out, log in. Needs the package `isolated-vm`. */
import { readFileSync } from "node:fs";
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const body = readFileSync(new URL("lambdas/JWTPopulate.js", import.meta.url), "utf8");
const applicationId = "10000000-0000-4000-8000-000000000001";
const credentials = { loginId: "ada@example.com", password: "correct horse battery", applicationId };

/** A service whose one application fills its access tokens with a lambda, and one user of it. */
export async function createWorkshop(): Promise<{ readonly identity: IdentityService; readonly lambdaId: string }> {
  const identity = await createIdentityService({ storage: memoryStorage() });
  const { lambda } = await identity.lambdas.create({ lambda: { name: "Claims", type: "JWTPopulate", body } });
  const lambdaConfiguration = { accessTokenPopulateId: lambda.id };
  await identity.applications.create({ applicationId, application: { name: "Workshop", lambdaConfiguration } });
  const user = { email: credentials.loginId, password: credentials.password, data: { department: "Engines" } };
  await identity.registrations.create({ user, registration: { applicationId, data: { plan: "team" } } });
  return { identity, lambdaId: lambda.id };
}

/** The claims of the token that a login answers. */
export async function claimsOfLogin(identity: IdentityService): Promise<Record<string, unknown>> {
  const login = await identity.logins.login(credentials);
  const [, claims = ""] = "token" in login ? String(login.token).split(".") : [];
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}

if (import.meta.main) {
  const { identity, lambdaId } = await createWorkshop();
  const { outcome, arguments: after } = await identity.lambdas.test({ lambdaId, arguments: { jwt: {} } });
  console.log(outcome.kind, after.jwt); // what it makes of empty claims, of a sample user and registration
  const { department, plan } = await claimsOfLogin(identity);
  console.log(department, plan); // Engines team
  await identity.close();
}
