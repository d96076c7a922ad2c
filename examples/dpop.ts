/** Tokens that are worth nothing to whoever steals them: each call proves that it holds the client's key (RFC 9449). */
import { generateKeyPairSync, hash, randomUUID, sign } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";

/** Signs proofs with a key that never leaves the client. */
export function createProver(): (method: string, url: string, token?: string) => string {
  const { privateKey: key, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const header = { typ: "dpop+jwt", alg: "ES256", jwk: publicKey.export({ format: "jwk" }) };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return (method, url, token) => {
    const ath = token === undefined ? undefined : hash("sha256", token, "base64url");
    const claims = { jti: randomUUID(), htm: method, htu: url, iat: Math.floor(Date.now() / 1_000), ath };
    const input = `${encode(header)}.${encode(claims)}`;
    return `${input}.${sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
  };
}

/** A server, and the credentials of an entity that may ask for tokens there. */
export async function startServer(): Promise<{ readonly server: Server; readonly root: string; readonly credentials: string }> {
  const identity = await createIdentityService({ storage: memoryStorage() });
  const { entityType } = await identity.entityTypes.create({ entityType: { name: "Service" } });
  const { entity } = await identity.entities.create({ entity: { name: "Reports", type: { id: entityType.id } } });
  const server = createServer(nodeHandler(identity));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const credentials = `Basic ${Buffer.from(`${entity.clientId}:${entity.clientSecret}`).toString("base64")}`;
  return { server, root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, credentials };
}

if (import.meta.main) {
  const { server, root, credentials } = await startServer();
  const prove = createProver();

  // The proof of the request for a token says which key the token is bound to.
  const endpoint = `${root}/oauth2/token`;
  const asked = { authorization: credentials, dpop: prove("POST", endpoint) };
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  const answer = await fetch(endpoint, { method: "POST", headers: asked, body });
  const { access_token: token, token_type } = (await answer.json()) as Record<string, string>;
  console.log(answer.status, token_type); // 200 DPoP

  const url = `${root}/api/jwt/validate`;
  const call = async (headers: Record<string, string>): Promise<number> => (await fetch(url, { headers })).status;
  const proven = { authorization: `DPoP ${token}`, dpop: prove("GET", url, token) };
  console.log(await call(proven)); // 200
  console.log(await call(proven)); // 401: a proof counts once
  console.log(await call({ authorization: `Bearer ${token}` })); // 401: without the key the token is worth nothing
  server.close();
}
