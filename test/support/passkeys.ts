import type { IdentityServiceOptions } from "latchkey";
import { type Answer, expectOk } from "./answer.js";
import { type AnswerChanges, SoftwareAuthenticator, testPage } from "./authenticator.js";
import type { Caller } from "./caller.js";
import { anybody, arrangeLogin, ids, logIn } from "./logins.js";
import type { Start, World } from "./world.js";

/** The path of the passkey calls. */
export const base = "/api/webauthn";

/** Settings of a tenant that allow everything. */
export const webAuthnConfiguration: Readonly<Record<string, unknown>> = {
  bootstrapWorkflow: { enabled: true },
  enabled: true,
  reauthenticationWorkflow: { enabled: true },
  relyingPartyId: testPage.rpId,
  relyingPartyName: "Example",
};

/** The part of browser options that is used here. */
export interface Options {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly [member: string]: unknown;
}

/** Starts a service with passkeys and the user of {@link arrangeLogin}. */
export async function startPasskeys(start: Start, options: Partial<IdentityServiceOptions> = {}): Promise<World> {
  const world = await start(options);
  await setTenant(world, { webAuthnConfiguration });
  await arrangeLogin(world);
  return world;
}

/** Changes settings of the default tenant. */
export async function setTenant(world: World, tenant: object): Promise<void> {
  expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }));
}

/** A caller with a token of the user. */
export async function asUser(world: World): Promise<Caller> {
  return anybody(world, { Authorization: `Bearer ${(await logIn(world)).token}` });
}

/** Starts a registration; returns the browser's options. */
export async function beginRegistration(caller: Caller, fields: object = {}): Promise<Options> {
  const body = { displayName: "My phone", userId: ids.user, ...fields };
  return expectOk(await caller.post(`${base}/register/start`, body)).at("options") as Options;
}

/** Sends a new passkey. */
export function sendRegistration(caller: Caller, credential: unknown, fields: object = {}): Promise<Answer> {
  return caller.post(`${base}/register/complete`, { credential, userId: ids.user, ...testPage, ...fields });
}

/** Registers a passkey; returns its record. */
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

/** Starts a login; returns the browser's options. */
export async function beginLogin(caller: Caller, fields: object = {}): Promise<Options> {
  const body = { applicationId: ids.application, workflow: "bootstrap", ...fields };
  return expectOk(await caller.post(`${base}/start`, body)).at("options") as Options;
}

/** Sends an authenticator's answer to a login, without a credential. */
export function sendLogin(world: World, credential: unknown, fields: object = {}): Promise<Answer> {
  return anybody(world).post(`${base}/login`, { credential, ...testPage, ...fields });
}

/** A registered passkey of the user. */
export async function registered(
  world: World,
  given: ConstructorParameters<typeof SoftwareAuthenticator> = [],
): Promise<SoftwareAuthenticator> {
  const authenticator = new SoftwareAuthenticator(...given);
  await register(world.caller, authenticator);
  return authenticator;
}
