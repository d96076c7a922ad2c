/** A shop with one buyer, for the guides of the guards: what each framework's routes are asked with. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

/** The application of the shop. */
export const applicationId = "10000000-0000-4000-8000-000000000001";

/** The shop, the access token of a buyer, and an API key. */
export interface Shop {
  readonly identity: IdentityService;
  readonly buyer: Readonly<Record<string, string>>;
  readonly machine: Readonly<Record<string, string>>;
}

/** Opens the shop. */
export async function openShop(): Promise<Shop> {
  const identity = await createIdentityService({ storage: memoryStorage(), secret: "use at least thirty-two random characters" });
  const roles = [{ name: "buyer", isDefault: true }, { name: "seller" }];
  await identity.applications.create({ applicationId, application: { name: "Shop", roles } });
  const user = { email: "robin@example.com", password: "correct horse battery" };
  await identity.registrations.create({ user, registration: { applicationId } });
  const login = await identity.logins.login({ loginId: user.email, password: user.password, applicationId });
  if (!("token" in login)) throw new Error("The login is not complete.");
  const { apiKey } = await identity.apiKeys.create({ apiKey: { permissions: { endpoints: { "/api/user": ["GET"] } } } });
  return {
    identity,
    buyer: { authorization: `Bearer ${login.token}` },
    machine: { authorization: apiKey.key ?? "" },
  };
}

/** Serves until the process ends; returns the origin. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The statuses of GET requests without a credential, of the buyer, and with the API key. */
export async function statuses(url: string, { buyer, machine }: Shop): Promise<readonly number[]> {
  const asked = [{}, buyer, machine].map(async (headers) => (await fetch(url, { headers })).status);
  return Promise.all(asked);
}
