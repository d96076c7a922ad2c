import type { KeyObject } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { exportJWK, SignJWT } from "jose";
import { sharedRsaPair } from "./keys.js";
import { type Sink, startSink } from "./sink.js";

/** An identity provider on the loopback address, scripted by a test. */
export interface Upstream extends Sink {
  /** Further claims of tokens and userinfo. */
  claims: Record<string, unknown>;
  /** Signs ID tokens; tests replace it for hostile ones. */
  sign: (claims: Readonly<Record<string, unknown>>) => Promise<string>;
  /** Further members of the discovery document. */
  metadata: Record<string, unknown>;
  /** Runs before the usual responses; returns true if it has responded. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly privateKey: KeyObject;
}

const pair = sharedRsaPair(0);
const other = sharedRsaPair(1);

/** A key that the upstream never publishes. */
export const strangeKey: KeyObject = other.privateKey;
/** The published public key as PEM, for tokens that misuse it as an HMAC secret. */
export const publishedPem: string = pair.publicKey.export({ type: "spki", format: "pem" }).toString();

function usualClaims(url: string): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1_000);
  return { aud: "client", exp: now + 300, iat: now, iss: url, sub: "ann|7" };
}

/** Starts an upstream. It uses the nonce of the last authorization request, see {@link authorize}. */
export async function startUpstream(): Promise<Upstream> {
  const published = { ...(await exportJWK(pair.publicKey)), alg: "RS256", kid: "one", use: "sig" };
  const state = { nonce: undefined as string | undefined };
  const sign = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(pair.privateKey);
  const answers: Record<string, () => Promise<object> | object> = {
    "/.well-known/openid-configuration": () => ({
      authorization_endpoint: `${upstream.url}/authorize`,
      id_token_signing_alg_values_supported: ["RS256"],
      issuer: upstream.url,
      jwks_uri: `${upstream.url}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      token_endpoint: `${upstream.url}/token`,
      userinfo_endpoint: `${upstream.url}/userinfo`,
      ...upstream.metadata,
    }),
    "/jwks": () => ({ keys: [published] }),
    "/token": async () => ({
      access_token: "access",
      expires_in: 300,
      id_token: await upstream.sign({ ...usualClaims(upstream.url), nonce: state.nonce, ...upstream.claims }),
      token_type: "Bearer",
    }),
    "/userinfo": () => ({ sub: "ann|7", ...upstream.claims }),
  };
  const sink = await startSink((request, response) => {
    if (upstream.intercept(request, response)) return;
    const url = new URL(request.url ?? "", "http://localhost");
    state.nonce = url.searchParams.get("nonce") ?? state.nonce;
    const answer = Object.hasOwn(answers, url.pathname) ? answers[url.pathname] : undefined;
    if (answer === undefined) return void response.writeHead(404).end();
    void Promise.resolve(answer()).then((body) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body)),
    );
  });
  const upstream: Upstream = {
    ...sink,
    claims: { email: "ann@example.com", email_verified: true, given_name: "Ann", preferred_username: "ann" },
    sign,
    metadata: {},
    intercept: () => false,
    privateKey: pair.privateKey,
  };
  return upstream;
}

/** Acts as the user's browser: follows the URL of the start, so that the upstream stores the nonce. */
export async function authorize(url: string): Promise<Readonly<Record<string, string>>> {
  const { searchParams } = new URL(url);
  await fetch(url, { redirect: "manual" });
  return { code: "the code", state: searchParams.get("state") ?? "" };
}
