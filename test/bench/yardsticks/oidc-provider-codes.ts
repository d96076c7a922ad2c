/** oidc-provider with its memory adapter, as goal 41 needs it: an access token and an ID token, both signed with ES256, for a code. */
import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";
import { toBasic } from "../harness/clients.ts";
import { callback, challenge, scope, withCodes } from "../harness/codes.ts";
import { listen } from "../harness/listen.ts";
import { announceReady } from "../harness/subject.ts";

const clientId = "bench";
const secret = "a-secret-of-the-client-with-enough-characters";
const accountId = crypto.randomUUID();
const resource = "https://api.bench.example";
const { privateKey } = await generateKeyPair("ES256", { extractable: true });

const provider = new Provider("http://127.0.0.1", {
  clients: [{ client_id: clientId, client_secret: secret, redirect_uris: [callback], id_token_signed_response_alg: "ES256" }],
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "ES256", use: "sig", kid: "bench" }] },
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name", "family_name"] },
  findAccount: (_ctx, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: "ada@example.com", email_verified: true, given_name: "Ada", family_name: "Lovelace" }),
  }),
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope,
        audience: resource,
        accessTokenFormat: "jwt" as const,
        accessTokenTTL: 3_600,
        jwt: { sign: { alg: "ES256" as const } },
      }),
    },
  },
  routes: { token: "/oauth2/token" },
});

// Its adapter forgets all but the newest 1,000 records: a grant for each code would drive codes out.
const makeGrant = async (): Promise<string> => {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scope);
  grant.addResourceScope(resource, scope);
  return grant.save();
};

const makeCode = async (): Promise<string> => {
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw new Error("there is no client");
  const code = new provider.AuthorizationCode({
    accountId,
    authTime: Math.floor(Date.now() / 1_000),
    client,
    codeChallenge: challenge,
    codeChallengeMethod: "S256",
    grantId: await grantId,
    gty: "authorization_code",
    redirectUri: callback,
    resource,
    scope,
  });
  return code.save();
};

let grantId = makeGrant();
const listener = withCodes(makeCode, provider.callback());
const port = await listen(
  createServer((request, response) => {
    if (request.url?.startsWith("/codes")) grantId = makeGrant();
    listener(request, response);
  }),
);
announceReady({ port, ids: [await makeCode(), await makeCode()], credential: toBasic(clientId, secret) });
