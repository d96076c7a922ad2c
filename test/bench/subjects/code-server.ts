/** Our side of goal 41: the OpenID provider of the built package behind node:http, on memory storage as the other side. */
import { createServer } from "node:http";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import { type Interactions, oidc } from "latchkey/oidc";
import { toBasic } from "../harness/clients.ts";
import { callback, challenge, scope, withCodes } from "../harness/codes.ts";
import { listen } from "../harness/listen.ts";
import { announceReady } from "../harness/subject.ts";

const publicUrl = "http://127.0.0.1";

// The user is known: a page would only cost the preparation.
const interactions: Interactions = {
  handle: async (request, host) => host.login(request, { userId, amr: ["pwd"] }),
  show: async ({ kind }) => ({ status: 400, headers: {}, body: kind }),
};

const identity = await createIdentityService({
  storage: memoryStorage(),
  publicUrl,
  protocols: [oidc({ interactions })],
  delivery: false,
});
const oauthConfiguration = { authorizedRedirectURLs: [callback] };
const { application } = await identity.applications.create({ application: { name: "bench", oauthConfiguration } });
const { user } = await identity.users.create({
  user: { email: "ada@example.com", password: "a password of the benchmark", firstName: "Ada", lastName: "Lovelace" },
});
const userId = user.id;

const cookies = new Map<string, string>();

/** Sends a request of the user's browser; returns where it leads. */
const visit = async (url: string): Promise<string> => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const { headers } = await identity.inject({ url, headers: { cookie } });
  for (const text of [headers["set-cookie"] ?? []].flat()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    if (/latchkey_session/.test(name) || cookies.size < 8) cookies.set(name, value);
  }
  return String(headers.location ?? "");
};

const query = new URLSearchParams({
  client_id: application.id,
  redirect_uri: callback,
  response_type: "code",
  scope,
  code_challenge: challenge,
  code_challenge_method: "S256",
});

const makeCode = async (): Promise<string> => {
  let url = `/oauth2/authorize?${query}`;
  for (let hop = 0; hop < 5 && !url.startsWith(callback); hop++) url = await visit(url.replace(publicUrl, ""));
  return new URL(url).searchParams.get("code") ?? "";
};

const ids = [await makeCode(), await makeCode()];
const port = await listen(createServer(withCodes(makeCode, nodeHandler(identity))));
announceReady({ port, ids, credential: toBasic(application.id, application.oauthConfiguration.clientSecret ?? "") });
