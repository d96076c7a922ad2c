import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { SignInError } from "latchkey";
import type { SignInHost } from "latchkey/ports";
import { type ProviderSettings, textOf } from "./settings.js";

const lifetimeSeconds = 300;

/**
 * Returns the client secret of an Apple login: a token signed with the team's key.
 * @throws SignInError without an ES256 signing key.
 */
export async function makeClientSecret({ clientId, record }: ProviderSettings, host: SignInHost): Promise<string> {
  const key = await host.findKey(textOf(record, "keyId") ?? "");
  const signingKey: KeyObject | undefined = key?.alg === "ES256" ? key.signingKey : undefined;
  if (key === undefined || signingKey === undefined)
    throw new SignInError("unavailable", "The key of the identity provider cannot sign by ES256.");
  const now = Math.floor(host.clock() / 1_000);
  return new SignJWT()
    .setProtectedHeader({ alg: "ES256", kid: key.kid })
    .setIssuer(textOf(record, "teamId") ?? "")
    .setSubject(clientId)
    .setAudience("https://appleid.apple.com")
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeSeconds)
    .sign(signingKey);
}

/** The user's name, which Apple sends only with the first login. */
export function nameOf(parameters: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  try {
    const { name } = JSON.parse(parameters.user ?? "{}") as { readonly name?: unknown };
    return { given_name: textOf(name, "firstName"), family_name: textOf(name, "lastName") };
  } catch {
    return {};
  }
}
