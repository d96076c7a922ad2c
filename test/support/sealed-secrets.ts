import type { IdentityServiceOptions } from "latchkey";
import { globalScope, type Storage } from "latchkey/ports";
import { tables } from "../../src/families/index.js";
import { findSealed, sealKeyIdOf } from "../../src/security/seal.js";
import { expectOk } from "./answer.js";
import { boundStorage } from "./bound-storage.js";
import { makeProvider } from "./identity-providers.js";
import { allIntegrations, allSms } from "./integrations.js";
import { makeTemplate } from "./mails.js";
import { openIdRecords, plantOpenIdRecords } from "./openid-records.js";
import { plantings } from "./planted-secrets.js";
import { codeAt } from "./two-factor.js";
import { startWorld, testSecret, uuid, type World } from "./world.js";

/** The secret that replaces the tests' own one. */
export const newSecret = "the secret that is to come, with enough characters";

/** The TOTP secret of the user with {@link methodUserId}. */
export const codeSecret = "a secret of codes, 8MJJfCY4ERBt";

/** A user with a two-factor method and recovery codes; and a user with an offered secret by text message. */
export const methodUserId: string = uuid(601);
export const offeredUserId: string = uuid(602);

/** Every place with sealed values, as table and path; the planted secrets must cover all. */
export const everyPlace: readonly string[] = [
  "apiKeys sealed",
  "applications sealed.oauthConfiguration.clientSecret",
  "connectors sealed.headers",
  "connectors sealed.httpAuthenticationPassword",
  "connectors sealed.systemAccountPassword",
  "entities sealed.clientSecret",
  "identityProviderLinks sealed.token",
  "identityProviders sealed.client_secret",
  "importParts sealed",
  "installations sealed",
  "integrations sealed.broker.producer",
  "integrations sealed.moderation.apiKey",
  "integrations sealed.sms.authToken",
  "keys privateKey",
  "keys secret",
  "logoutTokens sealed",
  "mails sealed",
  "messengers sealed.authToken",
  "messengers sealed.headers",
  "messengers sealed.httpAuthenticationPassword",
  "messengers sealed.producer",
  "openIdRecords content",
  "refreshTokens openId",
  "tenants writeOnly.lambdaConfiguration.secrets.crm",
  "textMessages sealed",
  "users twoFactor.codes",
  "users twoFactor.methods.key",
  "users twoFactor.offeredKey",
  "users twoFactor.recoveryCodes",
  "webhooks sealed.headers",
  "webhooks sealed.httpAuthenticationPassword",
];

/** A service on a storage that stays open when the service closes. */
export function startOn(storage: Storage, options: Partial<IdentityServiceOptions> = {}): Promise<World> {
  return startWorld({ ...boundStorage(storage), close: async () => undefined }, options);
}

/** Stores every kind of secret, under the tests' own secret. Returns recovery codes. */
export async function plantSecrets(storage: Storage): Promise<readonly string[]> {
  const world = await startOn(storage, {
    mail: async () => ({ kind: "ok" }),
    sendSms: async () => ({ kind: "ok" }),
    protocols: [openIdRecords],
    publicUrl: "https://id.example.com",
  });
  for (const [, method, path, body] of plantings) expectOk(await world.caller.send(method, path, body));
  await makeUser(world, methodUserId, "ada@example.com");
  const account = { identityProviderId: uuid(950), identityProviderUserId: "ada", token: "a token", userId: methodUserId };
  await makeProvider(world.caller, uuid(950));
  await world.identity.identityProviderLinks.create({ identityProviderLink: account });
  await plantOpenIdRecords(world.identity, methodUserId, world.defaultTenantId);
  const method = { code: codeAt(codeSecret, world.clock.instant), method: "authenticator", secret: codeSecret };
  const enabled = expectOk(await world.caller.post(`/api/user/two-factor/${methodUserId}`, method));
  const multiFactorConfiguration = { sms: { enabled: true } };
  const lambdaConfiguration = { secrets: { crm: "a secret of lambdas" } };
  expectOk(
    await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, {
      tenant: { lambdaConfiguration, multiFactorConfiguration },
    }),
  );
  const target = { method: "sms", mobilePhone: "555-0100", userId: methodUserId } as const;
  await world.identity.twoFactor.send(target);
  await makeTemplate(world);
  await world.identity.emailTemplates.send({ emailTemplateId: uuid(800), toAddresses: [{ address: "a@example.com" }] });
  await world.identity.sms.send({ mobilePhone: "555-0100", textMessage: "Hello", tenantId: world.defaultTenantId });
  // The upload of a dry run stays stored.
  await world.identity.users.import([{ username: "uploaded" }], { dryRun: true });
  await world.identity.close();
  await plantOldOnes(storage);
  return enabled.at("recoveryCodes") as readonly string[];
}

// Secrets that only versions before 1.26.0 store.
async function plantOldOnes(storage: Storage): Promise<void> {
  const world = await startOn(storage, { version: "1.25.0", sendSms: async () => ({ kind: "ok" }) });
  expectOk(await world.caller.put("/api/integration", { integrations: { ...allIntegrations, sms: allSms } }));
  await makeUser(world, offeredUserId, "bob@example.com");
  const user = {
    kind: "user",
    userId: offeredUserId,
    tenantId: world.defaultTenantId,
    claims: { exp: 0, sub: offeredUserId },
  } as const;
  await world.identity.as(user).twoFactor.send();
  await world.identity.close();
}

async function makeUser(world: World, userId: string, email: string): Promise<void> {
  const user = { email, mobilePhone: "555-0100", password: "correct horse" };
  expectOk(await world.caller.inTenant(world.defaultTenantId).post(`/api/user/${userId}`, { user }));
}

/** A sealed text of a storage. */
export interface FoundText {
  readonly place: string;
  readonly keyId: string | undefined;
  readonly text: string;
}

/** Every sealed text of all tables, found without a list of places. */
export async function findSealedTexts(storage: Storage): Promise<readonly FoundText[]> {
  const all = await Promise.all(
    tables.map(async (table) => ({ table, found: await storage.find(globalScope, table, undefined) })),
  );
  return all.flatMap(({ found, table }) =>
    found
      .flatMap(({ hidden, json }) => [hidden ?? "{}", json])
      .flatMap((text) => findSealed(JSON.parse(text)))
      .map(({ path, text }) => ({ place: `${table.name} ${nameOf(path)}`, keyId: sealKeyIdOf(text), text })),
  );
}

const nameOf = (path: readonly string[]): string => path.filter((part) => !/^\d+$/.test(part)).join(".");

/** The contents of a storage, without the sealed values. */
export async function readAllButSealed(storage: Storage): Promise<unknown> {
  const all = await Promise.all(tables.map(async (table) => [table.name, await storage.find(globalScope, table, undefined)]));
  return JSON.parse(JSON.stringify(all).replace(/v1\.[\w-]{8}\.[\w-]{16}\.[\w-]+/g, "sealed"));
}

/** Both secrets, as the options of a rotation. */
export const bothSecrets: readonly string[] = [newSecret, testSecret];
