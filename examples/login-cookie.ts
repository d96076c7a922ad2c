/** A login whose tokens a browser keeps in cookies that no script can read: log in, ask who one is, refresh, log out. */
import { createServer, type Server } from "node:http";
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";

const applicationId = "10000000-0000-4000-8000-000000000001";

/** A service with one application whose pages may log their users in without an API key, and one user of it. */
export async function createShop(email: string, password: string): Promise<IdentityService> {
  const identity = await createIdentityService({ storage: memoryStorage() });
  const loginConfiguration = { requireAuthentication: false, generateRefreshTokens: true, allowTokenRefresh: true };
  await identity.applications.create({ applicationId, application: { name: "Shop", loginConfiguration } });
  await identity.registrations.create({ user: { email, password }, registration: { applicationId } });
  return identity;
}

/** What a browser does with the cookies of an answer: it keeps them and sends them along. `origin` is the page's own. */
export function createBrowser(origin: string): (method: string, path: string, body?: object) => Promise<Response> {
  const jar = new Map<string, string>();
  return async (method, path, body) => {
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
    const headers = { cookie, origin, "content-type": "application/json" };
    const response = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
}

/** Goes through a visit and answers the status of each step. */
export async function visit(origin: string, loginId: string, password: string): Promise<readonly [string, number][]> {
  const send = createBrowser(origin);
  const steps: [step: string, status: number][] = [];
  const go = async (step: string, ...request: Parameters<typeof send>): Promise<void> =>
    void steps.push([step, (await send(...request)).status]);
  await go("before", "GET", "/api/user");
  await go("log in", "POST", "/api/login", { loginId, password, applicationId });
  await go("who am I", "GET", "/api/user");
  await go("refresh", "POST", "/api/jwt/refresh", {});
  await go("log out", "POST", "/api/logout", {});
  await go("after", "GET", "/api/user");
  return steps;
}

if (import.meta.main) {
  const identity = await createShop("ann@example.com", "correct horse battery");
  const server: Server = createServer(nodeHandler(identity)).listen(3000, "127.0.0.1");
  console.log(await visit("http://127.0.0.1:3000", "ann@example.com", "correct horse battery"));
  server.close();
  await identity.close();
}
