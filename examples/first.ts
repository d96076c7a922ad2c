/** A webhook that is called and a token that a lambda enriches, with no more than the options of the README's first example. */
import { once } from "node:events";
import { createServer } from "node:http";
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const applicationId = "10000000-0000-4000-8000-000000000001";
const body = "function populate(jwt, user) { jwt.department = user.data.department; }";

/** Has this URL called with each new user. */
export async function callWebhook(identity: IdentityService, url: string): Promise<void> {
  const eventsEnabled = { "user.create": true };
  await identity.webhooks.create({ webhook: { url, global: true, eventsEnabled, connectTimeout: 1_000, readTimeout: 2_000 } });
}

/** The claims of a user's token, filled by a lambda. */
export async function enrichToken(identity: IdentityService): Promise<Record<string, unknown>> {
  const { lambda } = await identity.lambdas.create({ lambda: { name: "Department", type: "JWTPopulate", body } });
  const lambdaConfiguration = { accessTokenPopulateId: lambda.id };
  await identity.applications.create({ applicationId, application: { name: "Shop", lambdaConfiguration } });
  const credentials = { loginId: "ada@example.com", password: "correct horse battery" };
  const user = { email: credentials.loginId, password: credentials.password, data: { department: "Engines" } };
  await identity.registrations.create({ user, registration: { applicationId } });
  const login = await identity.logins.login({ ...credentials, applicationId });
  const [, claims = ""] = "token" in login ? String(login.token).split(".") : [];
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}

if (import.meta.main) {
  // Webhooks to this machine are refused otherwise.
  const identity = await createIdentityService({ storage: memoryStorage(), allowPrivateNetwork: true });
  const { promise: received, resolve } = Promise.withResolvers<string>();
  const receiver = createServer(async (request, response) => {
    const { event } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    response.writeHead(204).end();
    resolve(`${event.type} ${event.user.email}`);
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const address = receiver.address();
  await callWebhook(identity, `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  console.log((await enrichToken(identity)).department); // Engines
  console.log(await received); // user.create ada@example.com
  receiver.close();
  await identity.close();
}
