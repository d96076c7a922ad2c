/** oidc-provider with its memory adapter: client credentials for a resource whose tokens are JWTs signed with EdDSA. */
import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";
import { toBasic } from "../harness/clients.ts";
import { listen } from "../harness/listen.ts";
import { announceReady } from "../harness/subject.ts";

const clientId = "bench";
const secret = "a-secret-of-the-client-with-enough-characters";
const scope = "api:read";
const resource = "https://api.bench.example";
const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });

const provider = new Provider("http://127.0.0.1", {
  clients: [
    {
      client_id: clientId,
      client_secret: secret,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: "EdDSA",
    },
  ],
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "EdDSA", use: "sig", kid: "bench" }] },
  scopes: [scope],
  enabledJWA: { idTokenSigningAlgValues: ["EdDSA", "RS256"] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope,
        audience: resource,
        accessTokenFormat: "jwt" as const,
        accessTokenTTL: 3_600,
        jwt: { sign: { alg: "EdDSA" as const } },
      }),
    },
  },
  routes: { token: "/oauth2/token" },
});

const port = await listen(createServer(provider.callback()));
announceReady({ port, ids: [scope], credential: toBasic(clientId, secret) });
