import { SignJWT } from "jose";
import type { IdentityServiceOptions } from "latchkey";
import type { SmsMessage } from "latchkey/ports";
import { Secret, TOTP } from "otpauth";
import { expectOk } from "./answer.js";
import type { Caller } from "./caller.js";
import { nameForTokens } from "./keys.js";
import { type Start, uuid, type World } from "./world.js";

/** The example in docs/reference/two-factor.md. */
export const secret = "8MJJfCY4ERBtotvenSc3";
export const secretBase32Encoded = "HBGUUSTGINMTIRKSIJ2G65DWMVXFGYZT";

/** The step of TOTP codes, in milliseconds. */
export const stepMs = 30_000;

/** A service with second factors, and its sent text messages. */
export interface TwoFactorWorld extends World {
  readonly messages: SmsMessage[];
  readonly userId: string;
  /** The second-factor path of the user, for API keys. */
  readonly path: string;
  /** The code of a secret, `steps` after the current one. */
  readonly codeOf: (secret: string, steps?: number) => string;
  /** A caller with a token of the user. */
  readonly asUser: (userId?: string) => Promise<Caller>;
}

/** Starts a service of a version, with text messages and one user with a mobile phone. */
export async function startTwoFactor(
  start: Start,
  version: string = "1.25.0",
  options: Partial<IdentityServiceOptions> = {},
): Promise<TwoFactorWorld> {
  const messages: SmsMessage[] = [];
  const sendSms = async (message: SmsMessage): Promise<{ readonly kind: "ok" }> => {
    messages.push(message);
    return { kind: "ok" };
  };
  const world = await start({ version, sendSms, ...options });
  const userId = await makeUserWithPhone(world, "ada@example.com");
  const keyId = await importTokenKey(world);
  return {
    ...world,
    messages,
    userId,
    path: `/api/user/two-factor/${userId}`,
    codeOf: (text, steps = 0) => codeAt(text, world.clock.instant + steps * stepMs),
    asUser: (id = userId) => callAsUser(world, keyId, id),
  };
}

/** The code of a secret at an instant, by an independent library. */
export function codeAt(text: string, instant: number): string {
  return new TOTP({ secret: Secret.fromUTF8(text) }).generate({ timestamp: instant });
}

/** Makes a user with a mobile phone in the default tenant. */
export async function makeUserWithPhone(world: World, email: string): Promise<string> {
  const user = { email, mobilePhone: "555-0100", password: "correct horse" };
  const answer = await world.caller.inTenant(world.defaultTenantId).post("/api/user", { user });
  return expectOk(answer).textAt("user.id");
}

const tokenSecret = "a secret of 32 bytes for tokens!";

async function importTokenKey(world: World): Promise<string> {
  const key = { algorithm: "HS256", kid: "of-the-tests", name: "Tokens", secret: tokenSecret } as const;
  await world.identity.keys.import({ keyId: uuid(990), key });
  await nameForTokens(world.caller, world.defaultTenantId, uuid(990));
  return key.kid;
}

async function callAsUser(world: World, kid: string, userId: string): Promise<Caller> {
  const seconds = Math.floor(world.clock.instant / 1_000);
  const token = await new SignJWT({ iss: "latchkey", tid: world.defaultTenantId, tty: "at" })
    .setProtectedHeader({ alg: "HS256", kid })
    .setSubject(userId)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 3_600)
    .sign(Buffer.from(tokenSecret));
  return world.as(`Bearer ${token}`);
}

/** Enables a user's second factor with the current code of a secret. */
export async function enable(
  world: TwoFactorWorld,
  delivery: "None" | "TextMessage" = "None",
  of: string = secret,
): Promise<void> {
  expectOk(await world.caller.post(world.path, { code: world.codeOf(of), delivery, secret: of }));
}
