// Who renews a session of the console, and what its cookie is good for elsewhere.
import type { ApiResponse } from "latchkey/ports";
import { expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { type ConsoleClient, createConsoleClient, setUpFirst } from "./support/console-client.js";

const minutes = 60_000;

const statusOf = async (asked: Promise<ApiResponse>): Promise<number> => (await asked).status;
const isSignedIn = async (client: ConsoleClient): Promise<boolean> => (await client.send("GET", "/session")).status === 200;

/** A console on a clock that the test moves, with its first administrator signed in. */
async function createSignedIn(): Promise<{ client: ConsoleClient; move: (milliseconds: number) => void }> {
  let now = Date.UTC(2030, 0, 1);
  const client = await createConsoleClient({ clock: () => now });
  expect((await setUpFirst(client)).status).toBe(200);
  return {
    client,
    move: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** What the cookie of a console holds. */
function tokensIn({ cookie }: ConsoleClient): { readonly refreshToken: string; readonly token: string } {
  const [refreshToken = "", token = ""] = cookie.slice(cookie.indexOf("=") + 1).split("~");
  return { refreshToken, token };
}

requirement("console.session", "no caller beside the console renews a session, before its end or after it", async () => {
  const { client, move } = await createSignedIn();
  const { refreshToken, token } = tokensIn(client);
  const { user } = JSON.parse((await client.send("GET", "/session")).body);
  const { apiKey } = await client.identity.apiKeys.create({ apiKey: { keyManager: true } });
  const own = { authorization: `Bearer ${token}` };
  const refresh = (headers: object): Promise<number> => {
    const sent = { method: "POST", url: "/api/jwt/refresh", headers: { "content-type": "application/json", ...headers } };
    return statusOf(client.identity.inject({ ...sent, body: JSON.stringify({ refreshToken }) }));
  };
  const refreshAnywhere = async (): Promise<readonly number[]> => [
    await refresh({}),
    await refresh(own),
    await refresh({ authorization: apiKey.key }),
    await refresh({ cookie: `refresh_token=${refreshToken}` }),
  ];
  const refused = [400, 400, 400, 400];
  expect(await refreshAnywhere()).toEqual(refused);
  move(10 * minutes);
  expect(await isSignedIn(client)).toBe(true);
  expect(tokensIn(client).token).not.toBe(token);
  // Idle for too long: neither the session nor its tokens go on.
  move(31 * minutes);
  expect(await isSignedIn(client)).toBe(false);
  const late = await refreshAnywhere();
  expect([late[0], late[2], late[3]]).toEqual([400, 400, 400]);
  // Who signs out then ends what is left of it.
  expect(await statusOf(client.send("DELETE", "/session"))).toBe(204);
  expect((await client.identity.jwt.list({ userId: user.id })).refreshTokens).toEqual([]);
});

requirement("console.session", "the cookie and the token of a session open nothing beside the console", async () => {
  const { client } = await createSignedIn();
  const { token } = tokensIn(client);
  const asked = (headers: Readonly<Record<string, string>>, url = "/api/group") =>
    statusOf(client.identity.inject({ method: "GET", url, headers }));
  expect(await asked({ cookie: client.cookie })).toBe(401);
  expect(await asked({ authorization: `Bearer ${token}` })).toBe(401);
  expect(await asked({ cookie: client.cookie }, "/api/jwt/validate")).toBe(401);
  expect(await statusOf(client.send("DELETE", "/session"))).toBe(204);
  expect(await asked({ authorization: `Bearer ${token}` }, "/api/jwt/validate")).toBe(401);
});

requirement("console.session", "a session goes on where the tenant replaces refresh tokens", async () => {
  const { client, move } = await createSignedIn();
  const { tenants } = await client.identity.tenants.list();
  const patch = { tenant: { jwtConfiguration: { refreshTokenUsagePolicy: "OneTimeUse" } } } as const;
  await client.identity.tenants.patch({ tenantId: tenants[0]?.id ?? "", patch });
  for (let call = 0; call < 4; call++) {
    move(25 * minutes);
    expect([call, await isSignedIn(client)]).toEqual([call, true]);
  }
});
