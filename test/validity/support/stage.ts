// A service with a provider, a user with every way to log in, and an application that asks for a registration.
import type { Storage } from "latchkey/ports";
import type * as client from "openid-client";
import { ada, addClient, discover, listen, type ProviderWorld } from "../../oidc/support/provider.js";
import { Caller } from "../../support/caller.js";
import { codeAt } from "../../support/two-factor.js";

/** What artifacts and events of the table are made with. */
export interface Stage extends ProviderWorld {
  readonly config: client.Configuration;
  /** Calls with a key that the application's host has. */
  readonly host: Caller;
  readonly keyId: string;
  /** Calls with a key of its own, which stays. */
  readonly admin: Caller;
  /** Calls with a token. */
  readonly as: (token: string) => Caller;
  /** The code of the second factor, after {@link addFactor}. */
  readonly codeNow: () => string;
  /** The instant of the service. */
  readonly now: () => number;
  /** Lets time pass. */
  readonly pass: (ms: number) => void;
}

export const secret = "8MJJfCY4ERBtotvenSc3";

/** The grant of devices. */
export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

const days = 86_400;

/** Starts the stage on a fresh storage. `options` are those of the service. */
export async function startStage(storage: Storage, options: object = {}): Promise<Stage> {
  let later = 0;
  const now = (): number => Date.now() + later;
  const grants = ["authorization_code", "refresh_token", deviceGrant];
  const opened = await listen(storage, { clock: now, ...options });
  // The first tenant cannot go.
  const made = await opened.identity.tenants.create({ tenant: { name: "Stage" } });
  const world = await addClient(opened, { requireRegistration: true, enabledGrants: grants }, { tenantId: made.tenant.id });
  const { applicationId, identity, tenantId } = world;
  const loginConfiguration = { allowTokenRefresh: true, generateRefreshTokens: true, requireAuthentication: false };
  const application = { loginConfiguration, passwordlessConfiguration: { enabled: true } };
  await identity.applications.patch({ applicationId, patch: { application } });
  const multiFactorConfiguration = { authenticator: { enabled: true } };
  const emailConfiguration = { verifyEmail: true, verifyEmailWhenChanged: true };
  // Nothing of the table ends by its age.
  const externalIdentifierConfiguration = { twoFactorIdTimeToLiveInSeconds: days, passwordlessLoginTimeToLiveInSeconds: days };
  const tenant = { emailConfiguration, externalIdentifierConfiguration, multiFactorConfiguration };
  await identity.tenants.patch({ tenantId, patch: { tenant } });
  const callers = await Promise.all([1, 2].map(() => identity.apiKeys.create({ apiKey: { tenantId } })));
  const [host, admin] = callers.map(({ apiKey }) => new Caller(identity, { Authorization: apiKey.key ?? "" }));
  if (host === undefined || admin === undefined) throw new Error("There is no key.");
  const keyId = callers[0]?.apiKey.id ?? "";
  const as = (token: string): Caller => new Caller(identity, { Authorization: `Bearer ${token}` });
  const pass = (ms: number): void => {
    later += ms;
  };
  return { ...world, config: await discover(world), host, keyId, admin, as, codeNow: () => codeAt(secret, now()), now, pass };
}

/** Adds a second factor to the user. */
export async function addFactor({ admin, codeNow, pass, userId }: Stage): Promise<void> {
  const body = { code: codeNow(), method: "authenticator", secret };
  const { status, text } = await admin.post(`/api/user/two-factor/${userId}`, body);
  if (status !== 200) throw new Error(text);
  // A code is good once.
  pass(60_000);
}

/** The body of a login with the password. */
export function toLogin({ applicationId }: Stage, password: string = ada.password): object {
  return { loginId: ada.email, password, applicationId };
}
