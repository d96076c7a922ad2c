import { assert } from "./assert.ts";
import { allowRedirects } from "./openid-frameworks.ts";
import { Person } from "./person.ts";
import type { ClientRun } from "./run.ts";
import { load, type Stage, user } from "./stage.ts";

/** The generic OAuth plugin of better-auth, in memory. */
export function betterAuth(stage: Stage): ClientRun {
  return async (step) => {
    const send = await createApplication(stage);
    const start = await step("start", async () => {
      const answer = await send("/sign-in/social", { provider: "latchkey", callbackURL: "/done", disableRedirect: true });
      const text = await answer.text();
      assert(answer.status === 200, `The answer is ${answer.status} ${text}.`);
      const { url } = JSON.parse(text) as { url: string };
      assert(url.startsWith(stage.url), `It leads to ${url}.`);
      return url;
    });
    const ended = await new Person().logIn(start);
    await step("login", async () => {
      const back = await send(ended.href);
      const session = (await (await send("/get-session")).json()) as { readonly user?: { readonly email: string } } | null;
      assert(session?.user?.email === user.email, `It leads to ${back.headers.get("location")}, without a session.`);
    });
    await step("refresh", async () => {
      const accounts = (await (await send("/list-accounts")).json()) as readonly { readonly id: string }[];
      const answer = await send("/refresh-token", { accountId: accounts[0]?.id });
      const text = await answer.text();
      assert(answer.status === 200 && "accessToken" in JSON.parse(text), `The answer is ${answer.status} ${text}.`);
    });
    await step("logout", async () => {
      await send("/sign-out", {});
      assert((await (await send("/get-session")).json()) === null, "The session goes on.");
    });
  };
}

type Send = (path: string, body?: object) => Promise<Response>;

async function createApplication(stage: Stage): Promise<Send> {
  const { betterAuth: create } = await load("better-auth");
  const { memoryAdapter } = await load("better-auth/adapters/memory");
  const { genericOAuth } = await load("better-auth/plugins");
  const origin = "http://localhost:4100";
  await allowRedirects(stage, [`${origin}/api/auth/callback/latchkey`]);
  const provider = {
    providerId: "latchkey",
    discoveryUrl: `${stage.issuer}/.well-known/openid-configuration`,
    clientId: stage.clientId,
    clientSecret: stage.clientSecret,
    scopes: ["openid", "email", "profile", "offline_access"],
    pkce: true,
  };
  const auth = create({
    baseURL: origin,
    secret: "a secret of the application that is long",
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    plugins: [genericOAuth({ config: [provider] })],
    telemetry: { enabled: false },
  });
  const jar = new Map<string, string>();
  return async (path, body) => {
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
    const headers = { cookie, origin, ...(body && { "content-type": "application/json" }) };
    const target = path.startsWith("http") ? path : `${origin}/api/auth${path}`;
    const options = { method: body ? "POST" : "GET", headers, body: body ? JSON.stringify(body) : null };
    const response: Response = await auth.handler(new Request(target, options));
    for (const text of response.headers.getSetCookie()) {
      const [pair = ""] = text.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
}
