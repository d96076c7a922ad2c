import type { IdentityService } from "latchkey";
import { uuid } from "../../support/world.js";

const data = { list: ["a", { b: 1 }], map: { k: "v", $secret: "no reference" } };

/** The ids of what {@link populate} makes. */
export interface Populated {
  readonly tenantId: string;
  readonly applicationId: string;
  readonly groupId: string;
  readonly webhookId: string;
  readonly keyId: string;
  readonly formId: string;
  readonly userId: string;
}

/** Makes records of every family that is configuration, which name each other wherever they can; and a user, who is none. */
export async function populate(identity: IdentityService, defaultTenantId: string): Promise<Populated> {
  const keys = await makeKeys(identity);
  const forms = await makeForms(identity);
  const { lambda } = await identity.lambdas.create({
    lambda: { name: "Claims", type: "JWTPopulate", body: "function populate(jwt) { jwt.a = '#{b}'; }" },
  });
  const { ipAccessControlList } = await identity.accessLists.create({
    ipAccessControlList: { name: "Office", entries: [{ startIPAddress: "*" }, { action: "Allow", startIPAddress: "10.0.0.1" }] },
  });
  const lists = { uiIPAccessControlListId: ipAccessControlList.id };
  const phoneConfiguration = await makeMessenger(identity);
  const connectorId = await makeConnector(identity);
  const builtIn = { connectorId: "e3306678-a53a-4964-9040-1c96f36dda72", domains: ["*"], migrate: false };
  const { theme } = await identity.themes.create({
    theme: { name: "Corporate", data, title: "Example", messages: { localized: { fr: { "login-button": "Continuer" } } } },
  });
  const { tenant } = await identity.tenants.create({
    tenant: {
      themeId: theme.id,
      name: "North/South ~ East",
      data,
      phoneConfiguration,
      connectorPolicies: [{ connectorId, domains: ["example.com"], migrate: true }, builtIn],
      issuer: "https://id.example.com",
      jwtConfiguration: { accessTokenKeyId: keys.signing, timeToLiveInSeconds: 60, refreshTokenTimeToLiveInMinutes: 43_200 },
      accessControlConfiguration: lists,
      formConfiguration: { adminUserFormId: forms.admin },
      eventConfiguration: { events: { "group.create": { enabled: true, transactionType: "None" } } },
    },
  });
  const { application } = await identity.applications.create({
    application: {
      name: "Shop",
      themeId: theme.id,
      tenantId: tenant.id,
      data,
      lambdaConfiguration: { accessTokenPopulateId: lambda.id },
      registrationConfiguration: { enabled: true, type: "advanced", formId: forms.registration },
      jwtConfiguration: { enabled: true, accessTokenKeyId: keys.signing },
      accessControlConfiguration: lists,
      roles: [{ name: "editor", isDefault: true }, { name: "reader" }],
    },
  });
  const roleIds = application.roles.map((role) => role.id);
  const { lambda: reconciling } = await identity.lambdas.create({
    lambda: { name: "Reconciling", type: "OpenIDReconcile", body: "function reconcile(user) { user.data.a = 1; }" },
  });
  const oauth2 = { client_id: "client", client_secret: "secret of the provider", issuer: "https://provider.example" };
  await identity.identityProviders.create({
    identityProvider: {
      name: "Provider",
      type: "OpenIDConnect",
      buttonText: "Log in",
      data,
      oauth2,
      domains: ["example.com"],
      lambdaConfiguration: { reconcileId: reconciling.id },
      applicationConfiguration: {
        [application.id]: { enabled: true, oauth2: { client_id: "own", client_secret: "own secret" } },
      },
      tenantConfiguration: { [tenant.id]: { limitUserLinkCount: { enabled: true, maximumLinks: 2 } } },
    },
  });
  const { group } = await identity.groups.create({ group: { name: "Editors", tenantId: tenant.id, data }, roleIds });
  await identity.groups.create({ group: { name: "Editors", tenantId: defaultTenantId } });
  await identity.apiKeys.create({
    apiKey: {
      key: "a-key-of-the-population",
      name: "Deployment",
      tenantId: tenant.id,
      ipAccessControlListId: ipAccessControlList.id,
      permissions: { endpoints: { "/api/group": ["GET"] } },
      retrievable: false,
    },
  });
  await identity.apiKeys.create({ apiKey: { key: "a-key-without-a-name" } });
  const webhookId = await makeWebhooks(identity, tenant.id, keys.shared);
  await makeEntities(identity, tenant.id, keys.signing);
  const producer = { "bootstrap.servers": "broker.example.com:9092", "sasl.password": "the-password-of-the-broker" };
  await identity.integrations.update({ integrations: { broker: { enabled: true, defaultTopic: "events", producer } } });
  const { user } = await identity.users.create({ user: { email: "ana@example.com" } }, { tenantId: tenant.id });
  await identity.groupMembers.add({ members: { [group.id]: [{ userId: user.id }] } }, { tenantId: tenant.id });
  const ids = { tenantId: tenant.id, applicationId: application.id, groupId: group.id, webhookId, userId: user.id };
  return { ...ids, keyId: keys.signing, formId: forms.registration };
}

async function makeConnector(identity: IdentityService): Promise<string> {
  const { lambda } = await identity.lambdas.create({
    lambda: { name: "Entries", type: "LDAPConnectorReconcile", body: "function reconcile(user) {}" },
  });
  const { connector } = await identity.connectors.create({
    connector: {
      name: "Directory",
      type: "LDAP",
      data,
      authenticationURL: "ldap://ldap.example.com",
      connectTimeout: 1_000,
      readTimeout: 1_000,
      baseStructure: "dc=example,dc=com",
      identifyingAttribute: "entryUUID",
      loginIdAttribute: "mail",
      requestedAttributes: ["mail"],
      systemAccountDN: "cn=reader,dc=example,dc=com",
      systemAccountPassword: "the-password-of-the-reader",
      lambdaConfiguration: { reconcileId: lambda.id },
    },
  });
  return connector.id;
}

async function makeMessenger(
  identity: IdentityService,
): Promise<{ readonly messengerId: string; readonly verificationTemplateId: string }> {
  const account = { accountSID: "AC1", authToken: "the-token-of-the-messenger", fromPhoneNumber: "+1 555 0100" };
  const { messenger } = await identity.messengers.create({ messenger: { name: "Texts", type: "sms", data, ...account } });
  const { messageTemplate } = await identity.messageTemplates.create({
    messageTemplate: { name: "Verify", defaultTemplate: "Hi", localizedTemplates: { de: "Hallo" }, data },
  });
  return { messengerId: messenger.id, verificationTemplateId: messageTemplate.id };
}

async function makeKeys(identity: IdentityService): Promise<{ readonly signing: string; readonly shared: string }> {
  const { key } = await identity.keys.generate({ key: { name: "Signing", algorithm: "ES256", issuer: "us" } });
  const shared = await identity.keys.import({
    key: { name: "Shared", algorithm: "HS256", secret: "a shared secret of at least 32 bytes" },
  });
  await identity.keys.import({ key: { name: "Theirs", type: "Secret", secret: "the secret of a provider" } });
  await identity.keys.import({ key: { name: "Partner", algorithm: "ES256", publicKey: key.publicKey ?? "", kid: "partner" } });
  return { signing: key.id, shared: shared.key.id };
}

async function makeForms(identity: IdentityService): Promise<{ readonly registration: string; readonly admin: string }> {
  const { emailTemplate } = await identity.emailTemplates.create({
    emailTemplate: {
      name: "Consent",
      defaultSubject: "Hi",
      defaultHtmlTemplate: "<p>Hi</p>",
      defaultTextTemplate: "Hi",
      localizedSubjects: { de: "Hallo" },
    },
  });
  const { consent } = await identity.consents.create({
    consent: {
      name: "Newsletter",
      defaultMinimumAgeForSelfConsent: 13,
      consentEmailTemplateId: emailTemplate.id,
      emailPlus: { enabled: true, emailTemplateId: emailTemplate.id },
      values: ["b", "a"],
    },
  });
  await identity.userActionReasons.create({ userActionReason: { code: "SPAM", text: "Spam" } });
  await identity.userActions.create({ userAction: { name: "Ban", startEmailTemplateId: emailTemplate.id, temporal: true } });
  const { field } = await identity.formFields.create({ field: { name: "Newsletter", type: "consent", consentId: consent.id } });
  const size = { name: "Size", key: "user.data.size", control: "select", options: ["s", "l"], type: "string" } as const;
  const other = await identity.formFields.create({ field: { ...size, data, required: true } });
  const { fields } = await identity.formFields.list();
  const managed = (key: string): string => fields.find((one) => one.key === key)?.id ?? "";
  await identity.formFields.patch({ fieldId: managed("user.email"), patch: { field: { required: true } } });
  const steps = [{ fields: [managed("user.email"), managed("user.password")] }, { fields: [field.id, other.field.id] }];
  const { form } = await identity.forms.create({ form: { name: "Sign up", steps, data } });
  const admin = await identity.forms.create({
    form: { name: "People", type: "adminUser", steps: [{ fields: [other.field.id] }] },
  });
  return { registration: form.id, admin: admin.form.id };
}

async function makeWebhooks(identity: IdentityService, tenantId: string, signingKeyId: string): Promise<string> {
  const timeouts = { connectTimeout: 1_000, readTimeout: 2_000 };
  const { webhook } = await identity.webhooks.create({
    webhook: {
      ...timeouts,
      url: "https://hooks.example.com/one",
      tenantIds: [tenantId],
      eventsEnabled: { "group.create": true },
      headers: { "X-Token": "the-token-of-the-webhook" },
      httpAuthenticationUsername: "ana",
      httpAuthenticationPassword: "the-password-of-the-webhook",
      signatureConfiguration: { enabled: true, signingKeyId },
    },
  });
  // Nothing tells these two from each other but their ids.
  for (const number of [1, 2])
    await identity.webhooks.create({
      webhookId: uuid(number),
      webhook: { ...timeouts, url: "https://hooks.example.com/twice", global: true },
    });
  return webhook.id;
}

async function makeEntities(identity: IdentityService, tenantId: string, accessTokenKeyId: string): Promise<void> {
  const { entityType } = await identity.entityTypes.create({
    entityType: {
      name: "Service",
      data,
      jwtConfiguration: { enabled: true, accessTokenKeyId },
      permissions: [{ name: "read", isDefault: true }, { name: "write" }],
    },
  });
  const type = { id: entityType.id };
  const { entity } = await identity.entities.create({
    entity: { name: "Billing", tenantId, type, data, clientId: "billing", clientSecret: "the-secret-of-the-entity" },
  });
  const child = await identity.entities.create({
    entity: { name: "Archive", tenantId, type, parentId: entity.id, clientId: "archive" },
  });
  const grant = { recipientEntityId: entity.id, permissions: ["write"] };
  await identity.entityGrants.upsert({ entityId: child.entity.id, grant });
}

/** The secrets of the population, none of which any document may hold. */
export const plantedSecrets: readonly string[] = [
  "a-key-of-the-population",
  "a-key-without-a-name",
  "the-token-of-the-webhook",
  "the-password-of-the-webhook",
  "the-password-of-the-broker",
  "the-password-of-the-reader",
  "the-secret-of-the-entity",
  "a shared secret of at least 32 bytes",
  "the secret of a provider",
];
