import type { IdentityServiceOptions } from "latchkey";
import { type Answer, expectOk } from "./answer.js";
import { type AnswerChanges, SoftwareAuthenticator, testPage } from "./authenticator.js";
import type { Caller } from "./caller.js";
import { anybody, arrangeLogin, ids, logIn } from "./logins.js";
import type { Start, World } from "./world.js";

/** Where the calls of passkeys are. */
export const base = "/api/webauthn";

/** The settings of a tenant that allows everything. */
export const webAuthnConfiguration: Readonly<Record<string, unknown>> = {
  bootstrapWorkflow: { enabled: true },
  enabled: true,
  reauthenticationWorkflow: { enabled: true },
  relyingPartyId: testPage.rpId,
  relyingPartyName: "Example",
};

/** What options of browsers have. */
export interface Options {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly [member: string]: unknown;
}

/** Starts a service with passkeys, and the user of {@link arrangeLogin}. */
export async function startPasskeys(start: Start, options: Partial<IdentityServiceOptions> = {}): Promise<World> {
  const world = await start(options);
  await setTenant(world, { webAuthnConfiguration });
  await arrangeLogin(world);
  return world;
}

/** Changes the settings of the default tenant. */
export async function setTenant(world: World, tenant: object): Promise<void> {
  expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }));
}

/** Calls with a token of the user. */
export async function asUser(world: World): Promise<Caller> {
  return anybody(world, { Authorization: `Bearer ${(await logIn(world)).token}` });
}

/** Begins a registration; the options for the browser. */
export async function beginRegistration(caller: Caller, fields: object = {}): Promise<Options> {
  const body = { displayName: "My phone", userId: ids.user, ...fields };
  return expectOk(await caller.post(`${base}/register/start`, body)).at("options") as Options;
}

/** Sends a new passkey. */
export function sendRegistration(caller: Caller, credential: unknown, fields: object = {}): Promise<Answer> {
  return caller.post(`${base}/register/complete`, { credential, userId: ids.user, ...testPage, ...fields });
}

/** Registers a passkey; its record. */
export async function register(
  caller: Caller,
  authenticator: SoftwareAuthenticator,
  {
    changes = {},
    fields = {},
    page = {},
  }: { readonly changes?: AnswerChanges; readonly fields?: object; readonly page?: object } = {},
): Promise<Readonly<Record<string, unknown>> & { readonly id: string }> {
  const options = await beginRegistration(caller, fields);
  const { userId = ids.user } = fields as { readonly userId?: string };
  const answer = await sendRegistration(caller, authenticator.create(options, changes), { userId, ...page });
  return expectOk(answer).at("credential") as Readonly<Record<string, unknown>> & { readonly id: string };
}

/** Begins a login; the options for the browser. */
export async function beginLogin(caller: Caller, fields: object = {}): Promise<Options> {
  const body = { applicationId: ids.application, workflow: "bootstrap", ...fields };
  return expectOk(await caller.post(`${base}/start`, body)).at("options") as Options;
}

/** Sends the answer of an authenticator to a login, as somebody without a key. */
export function sendLogin(world: World, credential: unknown, fields: object = {}): Promise<Answer> {
  return anybody(world).post(`${base}/login`, { credential, ...testPage, ...fields });
}

/** A passkey of the user that is registered. */
export async function registered(
  world: World,
  given: ConstructorParameters<typeof SoftwareAuthenticator> = [],
): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator(...given);
  await register(world.caller, authenticator);
  return authenticator;
}
