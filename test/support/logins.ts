import { expectOk } from "./answer.js";
import { Caller } from "./caller.js";
import { uuid, type World } from "./world.js";

/** The password of all users of the tests. */
export const password = "correct horse battery";

/** The ids of {@link arrangeLogin}. */
export const ids: { readonly user: string; readonly application: string } = { user: uuid(501), application: uuid(502) };

/** Makes a user with a password, registered to an application that issues refresh tokens. */
export async function arrangeLogin(
  world: World,
  { user = {}, application = {} }: { readonly user?: object; readonly application?: object } = {},
): Promise<void> {
  const loginConfiguration = { allowTokenRefresh: true, generateRefreshTokens: true, requireAuthentication: true };
  const ofApplication = { name: "Shop", loginConfiguration, roles: [{ name: "buyer", isDefault: true }], ...application };
  expectOk(await world.caller.post(`/api/application/${ids.application}`, { application: ofApplication }));
  const ofUser = { email: "ann@example.com", username: "Ann", password, ...user };
  expectOk(await world.caller.post(`/api/user/${ids.user}`, { user: ofUser }));
  const registration = { applicationId: ids.application };
  expectOk(await world.caller.post(`/api/user/registration/${ids.user}`, { registration }));
}

/** The body of a login of that user to that application. */
export function loginBody(fields: object = {}): object {
  return { loginId: "ann@example.com", password, applicationId: ids.application, ...fields };
}

/** A caller without a credential. */
export function anybody(world: World, headers: Readonly<Record<string, string>> = {}): Caller {
  return new Caller(world.identity, headers);
}

/** The unverified claims of a token. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Readonly<Record<string, unknown>>;
}

/** The tokens of a new login. */
export interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
  readonly refreshTokenId: string;
}

/** Logs in the user of {@link arrangeLogin}. */
export async function logIn(world: World, fields: object = {}): Promise<Tokens> {
  const answer = expectOk(await world.caller.post("/api/login", loginBody(fields)));
  return {
    token: answer.textAt("token"),
    refreshToken: answer.textAt("refreshToken"),
    refreshTokenId: answer.textAt("refreshTokenId"),
  };
}
