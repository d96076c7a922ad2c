import { decodeProtectedHeader, type JWTVerifyOptions, jwtVerify } from "jose";
import { SignInError } from "latchkey";
import type { ProviderLoginResponse, ProviderUser, SignInKey } from "latchkey/ports";
import { isObject } from "../../internal/objects.js";
import { clockTolerance } from "./configuration.js";
import { type LoginTools, textOf } from "./settings.js";

/**
 * Verifies the token of an external issuer. The key is the one of the record's `keys` that the token's header names, else
 * `defaultKeyId`; only the algorithm of that key is allowed. The token must expire and meet the record's requirements. It can be
 * used once.
 */
export async function completeExternalJwt(
  { host }: LoginTools,
  { parameters, provider }: ProviderLoginResponse,
): Promise<ProviderUser> {
  const token = parameters.token ?? parameters.encodedJWT;
  if (token === undefined) throw new SignInError("refused", "The login has no token.");
  const key = await host.findKey(keyIdOf(provider, token));
  const { alg, verificationKey } = requireKey(key);
  const { payload } = await jwtVerify(token, verificationKey, {
    algorithms: [alg],
    clockTolerance,
    currentDate: new Date(host.clock()),
    requiredClaims: ["exp"],
    ...demandsOf(provider),
  });
  const { exp = 0 } = payload;
  const expirationInstant = Math.min(1_000 * (Math.ceil(exp) + clockTolerance + 1), latestInstant);
  return { ...toUser(provider, payload), useOnce: { id: onceIdOf(token, payload), expirationInstant } };
}

/** The largest ECMAScript date: a token may contain any number. */
const latestInstant = 8_640_000_000_000_000;

// Only requirements in the record are checked.
function demandsOf({
  maxTokenAgeInSeconds,
  oauth2,
  tokenType,
}: ProviderLoginResponse["provider"]): Pick<JWTVerifyOptions, "audience" | "issuer" | "maxTokenAge" | "typ"> {
  const [audience, issuer] = [textOf(oauth2, "client_id"), textOf(oauth2, "issuer")];
  return {
    ...(audience !== undefined && { audience }),
    ...(issuer !== undefined && { issuer }),
    ...(typeof maxTokenAgeInSeconds === "number" && { maxTokenAge: maxTokenAgeInSeconds }),
    ...(typeof tokenType === "string" && tokenType !== "" && { typ: tokenType }),
  };
}

// Without a `jti`, the signed part: one signature can be encoded in several ways.
function onceIdOf(token: string, claims: Readonly<Record<string, unknown>>): string {
  return textOf(claims, "jti") ?? token.slice(0, token.lastIndexOf("."));
}

function keyIdOf({ defaultKeyId, headerKeyParameter, keys }: ProviderLoginResponse["provider"], token: string): string {
  const name = textOf(headerOf(token), String(headerKeyParameter));
  const named = name === undefined ? undefined : textOf(keys, name);
  const keyId = named ?? (typeof defaultKeyId === "string" ? defaultKeyId : undefined);
  if (keyId === undefined) throw new SignInError("refused", "The token names no key that the identity provider has.");
  return keyId;
}

function headerOf(token: string): object {
  try {
    return decodeProtectedHeader(token);
  } catch (cause) {
    throw new SignInError("refused", "The token is no JWT.", { cause });
  }
}

function requireKey(key: SignInKey | undefined): {
  readonly alg: string;
  readonly verificationKey: NonNullable<SignInKey["verificationKey"]>;
} {
  if (key?.alg === undefined || key.verificationKey === undefined)
    throw new SignInError("unavailable", "The key of the identity provider is gone.");
  return { alg: key.alg, verificationKey: key.verificationKey };
}

/** The reference's names of user members, accepted beside the member names. */
const words: Readonly<Record<string, string>> = {
  BirthDate: "birthDate",
  FirstName: "firstName",
  FullName: "fullName",
  LastName: "lastName",
  MiddleName: "middleName",
  MobilePhone: "mobilePhone",
  PreferredLanguages: "preferredLanguages",
  Timezone: "timezone",
};

function toUser(
  { claimMap, uniqueIdentityClaim }: ProviderLoginResponse["provider"],
  claims: Readonly<Record<string, unknown>>,
): ProviderUser {
  const id = textOf(claims, String(uniqueIdentityClaim));
  if (id === undefined) throw new SignInError("refused", "The token does not say who the user is.");
  const { data, ...members } = mapped(claimMap, claims);
  const email = textOf(members, "email") ?? textOf(claims, "email");
  const username = textOf(members, "username") ?? textOf(claims, "preferred_username");
  const verified = claims.email_verified;
  return {
    displayName: textOf(claims, "name") ?? email ?? username,
    email,
    id,
    // The issuer is trusted to verify its users' addresses, unless the token says otherwise.
    isEmailVerified: email !== undefined && (verified === undefined || verified === true || verified === "true"),
    lambdaArguments: { jwt: claims },
    profile: { ...members, ...(isObject(data) && { data }) },
    username,
  };
}

function mapped(claimMap: unknown, claims: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {};
  const data: Record<string, unknown> = {};
  for (const [claim, word] of Object.entries(isObject(claimMap) ? claimMap : {})) {
    if (!Object.hasOwn(claims, claim) || typeof word !== "string") continue;
    if (word === "UserData") data[claim] = claims[claim];
    else members[Object.hasOwn(words, word) ? (words[word] ?? word) : word] = claims[claim];
  }
  return Object.keys(data).length === 0 ? members : { ...members, data };
}
