import type { ApiRequest } from "latchkey/ports";
import { type ClientKey, makeClientKey, makeProof, origin, type ProofWish } from "./dpop.js";
import type { Workshop } from "./forgery.js";
import { bootstrapKey } from "./world.js";

/** The call. */
export interface Place {
  readonly method: string;
  readonly path: string;
}

/** The credentials of a request. */
export type Credentials = Pick<ApiRequest, "headers" | "rawHeaders">;

/** A request that must be refused: its fault, and its headers for a call. */
export interface ForgedHeaders {
  readonly name: string;
  readonly toCredentials: (place: Place) => Credentials | Promise<Credentials>;
  /** Whether the first request with it succeeds, and only the next one fails. */
  readonly isOnce?: boolean;
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;

/** Keys and valid tokens in wrong places. */
export function forgeHeaders({ good }: Workshop): readonly ForgedHeaders[] {
  const values: Readonly<Record<string, string>> = {
    "an empty header": "",
    "a blank": " ",
    "a tab": `Bearer\t${good}`,
    "two spaces": `Bearer  ${good}`,
    "a space at the end": `Bearer ${good} `,
    "no scheme": good,
    "another scheme": `Token ${good}`,
    "the scheme alone": "Bearer",
    "two in one header": `Bearer ${good}, Bearer ${good}`,
    "a token as a password": basic(`apikey:${good}`),
    "a key as a token": `Bearer ${bootstrapKey}`,
    "a key with a space at its end": `${bootstrapKey} `,
    "a key with a space before it": ` ${bootstrapKey}`,
    "a key with a space inside": `${bootstrapKey.slice(0, 9)} ${bootstrapKey.slice(9)}`,
    "another user name": basic(`admin:${bootstrapKey}`),
    "the user name in capitals": basic(`APIKEY:${bootstrapKey}`),
    "no user name": basic(`:${bootstrapKey}`),
    "no password": basic("apikey:"),
    "a wrong key": "wrong-key",
  };
  const ofHeader = Object.entries(values).map(([name, authorization]) => fixed(name, { headers: { authorization } }));
  const cookie = `access_token=${good}`;
  const ofCookie = [
    fixed("a wrong key and a good cookie", { headers: { authorization: "wrong-key", cookie } }),
    fixed("an empty header and a good cookie", { headers: { authorization: "", cookie } }),
    fixed("a wrong token and a good cookie", { headers: { authorization: `Bearer ${good}x`, cookie } }),
  ];
  const twice = [`Bearer ${good}`, bootstrapKey].map((authorization) => {
    const rawHeaders = ["Authorization", authorization, "authorization", authorization];
    return fixed(`two headers, ${authorization.slice(0, 6)}`, { headers: { authorization }, rawHeaders });
  });
  return [...ofHeader, ...ofCookie, ...twice];
}

/** Valid tokens in malformed cookies; where a credential is optional, a cookie has no effect. */
export function forgeCookies({ good }: Workshop): readonly ForgedHeaders[] {
  const cookie = `access_token=${good}`;
  return [`${cookie}; ${cookie}`, `${cookie}; access_token=bad`, `Access_Token=${good}`, "access_token="].map((value, index) =>
    fixed(`cookies ${index}`, { headers: { cookie: value } }),
  );
}

/** Bound tokens with wrong proofs, and without one. */
export async function forgeProofs({ claims, good, now, sign }: Workshop): Promise<readonly ForgedHeaders[]> {
  const [key, other] = [await makeClientKey(), await makeClientKey()];
  const token = await sign({ ...claims, cnf: { jkt: key.thumbprint } });
  const another = await sign({ ...claims, cnf: { jkt: key.thumbprint }, jti: "another" });
  const proven = (by: ClientKey, presented: string, changes: ProofChanges = {}): ForgedHeaders["toCredentials"] => {
    return async ({ method, path }) => {
      const about = { method, url: origin + path, token: presented, now: now * 1_000, ...changes.about };
      return withProof(presented, await makeProof(by, about, changes.wish));
    };
  };
  const fits = proven(key, token);
  const spent = new Map<string, Credentials>();
  return [
    fixed("bound, as Bearer", { headers: { authorization: `Bearer ${token}` } }),
    fixed("bound, in a cookie", { headers: { cookie: `access_token=${token}` } }),
    fixed("no proof", { headers: { authorization: `DPoP ${token}` } }),
    { name: "bound, as Bearer with its proof", toCredentials: async (place) => asBearer(await fits(place), token) },
    { name: "unbound, with a proof", toCredentials: proven(key, good) },
    { name: "a proof for another URL", toCredentials: proven(key, token, { about: { url: `${origin}/api/elsewhere` } }) },
    { name: "a proof for another method", toCredentials: proven(key, token, { about: { method: "OPTIONS" } }) },
    { name: "a proof for another token", toCredentials: proven(key, token, { about: { token: another } }) },
    { name: "a proof of another key", toCredentials: proven(other, token) },
    { name: "a proof that is old", toCredentials: proven(key, token, { wish: { claims: { iat: now - 3_600 } } }) },
    {
      name: "a proof that was used",
      isOnce: true,
      toCredentials: async (place) => {
        const name = `${place.method} ${place.path}`;
        const credentials = spent.get(name) ?? (await fits(place));
        spent.set(name, credentials);
        return credentials;
      },
    },
  ];
}

interface ProofChanges {
  readonly about?: { readonly method?: string; readonly url?: string; readonly token?: string };
  readonly wish?: ProofWish;
}

function withProof(token: string, dpop: string): Credentials {
  return { headers: { authorization: `DPoP ${token}`, dpop, host: "localhost" } };
}

function asBearer({ headers }: Credentials, token: string): Credentials {
  return { headers: { ...headers, authorization: `Bearer ${token}` } };
}

function fixed(name: string, credentials: Credentials): ForgedHeaders {
  return { name, toCredentials: () => credentials };
}
