import type { IdentityService } from "latchkey";
import { seed as seedRecords } from "../areas/seed.js";
import { toPasskey } from "./passkey.js";
import { seed as seedUsers } from "./seed.js";
import type { Stage } from "./stage.js";

/** A record of each family that has a screen, by the names that the screens are listed with. */
export async function seedScreens(stage: Stage): Promise<Readonly<Record<string, string>>> {
  const { identity, tenantId } = stage;
  const records = await seedRecords(stage);
  const { applicationId, groupId, userIds } = await seedUsers(identity, 30);
  const user = userIds[0] ?? "";
  const { job } = await identity.users.import([{ email: "imported@example.com" }, { email: "imported@example.com" }]);
  const { fields } = await identity.formFields.list();
  await logIn(identity, records.lambdaId);
  const { eventLogs } = await identity.eventLogs.search({ search: {} });
  return {
    ...Object.fromEntries(Object.entries(records).map(([name, id]) => [name.replace(/Id$/, ""), id])),
    ...(await seedMore(identity)),
    ...(await seedEntity(identity, user)),
    ...(await seedSignIn(identity, { applicationId, userId: user })),
    application: applicationId,
    auditLog: "1",
    eventLog: String(eventLogs[0]?.id),
    extension: "orders",
    formField: fields.find(({ key }) => key === "user.email")?.id ?? "",
    group: groupId,
    importJob: job.id,
    tenant: tenantId,
    user,
    seller: userIds[1] ?? "",
  };
}

async function seedMore(identity: IdentityService) {
  const entries = [{ startIPAddress: "*", action: "Block" as const }];
  const { theme } = await identity.themes.create({ theme: { name: "Dark", colors: { accent: "#7a1fa2" } } });
  const { ipAccessControlList } = await identity.accessLists.create({ ipAccessControlList: { name: "Office", entries } });
  const { consent } = await identity.consents.create({ consent: { name: "News", defaultMinimumAgeForSelfConsent: 16 } });
  const { messenger } = await identity.messengers.create({
    messenger: { name: "Texts", type: "Generic", url: "https://texts.example.com/send", connectTimeout: 500, readTimeout: 500 },
  });
  const { userAction } = await identity.userActions.create({ userAction: { name: "Locked", temporal: true } });
  const { userActionReason } = await identity.userActionReasons.create({
    userActionReason: { code: "RUDE", text: "Rude words" },
  });
  return {
    accessList: ipAccessControlList.id,
    theme: theme.id,
    consent: consent.id,
    messenger: messenger.id,
    userAction: userAction.id,
    userActionReason: userActionReason.id,
  };
}

/** Who logs users in elsewhere, and how a user does without a password. */
async function seedSignIn(
  identity: IdentityService,
  { applicationId, userId }: { readonly applicationId: string; readonly userId: string },
) {
  const { identityProvider } = await identity.identityProviders.create({
    identityProvider: {
      name: "Company",
      type: "OpenIDConnect",
      enabled: true,
      buttonText: "Log in with the company",
      domains: ["company.example.com"],
      oauth2: { client_id: "shop", client_secret: "a secret of the shop", issuer: "https://company.example.com" },
      applicationConfiguration: { [applicationId]: { enabled: true } },
    },
  });
  const link = { identityProviderId: identityProvider.id, identityProviderUserId: "ada-4711", displayName: "Ada", userId };
  await identity.identityProviderLinks.create({ identityProviderLink: link });
  const { connector } = await identity.connectors.create({
    connector: {
      name: "Old shop",
      type: "Generic",
      authenticationURL: "https://old.example.com/login",
      connectTimeout: 500,
      readTimeout: 500,
    },
  });
  await identity.passkeys.import({ credentials: [toPasskey(userId)] });
  return { identityProvider: identityProvider.id, connector: connector.id };
}

async function seedEntity(identity: IdentityService, userId: string) {
  const permissions = [{ name: "read" }, { name: "write" }];
  const { entityType } = await identity.entityTypes.create({ entityType: { name: "Device", permissions } });
  const { entity } = await identity.entities.create({ entity: { name: "Thermostat", type: { id: entityType.id } } });
  await identity.entityGrants.upsert({ entityId: entity.id, grant: { userId, permissions: ["read"] } });
  return { entity: entity.id, entityType: entityType.id };
}

/** A login whose lambda writes to the event log. */
async function logIn(identity: IdentityService, lambdaId: string): Promise<void> {
  const password = "correct horse battery";
  const { application } = await identity.applications.create({
    application: {
      name: "Till",
      jwtConfiguration: { enabled: true },
      lambdaConfiguration: { accessTokenPopulateId: lambdaId },
    },
  });
  const user = { email: "seller@example.com", password, data: { department: "sales" } };
  await identity.registrations.create({ user, registration: { applicationId: application.id } });
  await identity.logins.login({ loginId: "seller@example.com", password, applicationId: application.id });
}
