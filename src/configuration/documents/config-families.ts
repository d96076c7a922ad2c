import { parseHidden } from "../../operations/family.js";
import { accessLists } from "../../resources/access-lists/rules.js";
import { apiKeys } from "../../resources/api-keys/rules.js";
import { applicationRoles } from "../../resources/application-roles/rules.js";
import { applications } from "../../resources/applications/rules.js";
import { applicationReferences } from "../../resources/applications/table.js";
import { consents } from "../../resources/consents/rules.js";
import { emailTemplates } from "../../resources/email-templates/rules.js";
import { entities } from "../../resources/entities/rules.js";
import { entityGrants } from "../../resources/entity-grants/rules.js";
import { entityTypePermissions } from "../../resources/entity-type-permissions/rules.js";
import { entityTypes } from "../../resources/entity-types/rules.js";
import { apiEntityTypeId } from "../../resources/entity-types/table.js";
import { formFields } from "../../resources/form-fields/rules.js";
import { managedKeys } from "../../resources/form-fields/table.js";
import { forms } from "../../resources/forms/rules.js";
import { groups } from "../../resources/groups/rules.js";
import { integrations } from "../../resources/integrations/rules.js";
import { keys } from "../../resources/keys/rules.js";
import { defaultSigningKeyId } from "../../resources/keys/table.js";
import { lambdas } from "../../resources/lambdas/rules.js";
import { tenants } from "../../resources/tenants/rules.js";
import { tenantReferences } from "../../resources/tenants/table.js";
import { webhooks } from "../../resources/webhooks/rules.js";
import { digestSecret } from "../../security/digest.js";
import { textAt } from "../../shared/value-at.js";
import type { ConfigFamily } from "./config-family.js";
import { type ConfigFamilyName, configFamilyNames } from "./document.js";
import { describeKey, fixedOfKey, hasPrivateKey, hasSecret, newKeyRequest, verbOfKey } from "./signing-keys.js";

const named = { key: ["name"], references: {} } as const;
const ofTenant = { tenantId: "tenants" } as const;

// The tables of the references of tenants and applications are named as the families are.
const toFamilyNames = (tables: Readonly<Record<string, string>>): Readonly<Record<string, ConfigFamilyName>> =>
  Object.fromEntries(
    Object.entries(tables).flatMap(([path, name]) =>
      configFamilyNames.flatMap((known) => (known === name ? [[path, known]] : [])),
    ),
  );

/** What is configuration and how documents write it. Users, registrations, memberships and logs are data. */
export const configFamilies: readonly ConfigFamily[] = [
  {
    ...named,
    name: "keys",
    family: keys,
    fixed: fixedOfKey,
    newRequest: newKeyRequest,
    verbs: { create: verbOfKey },
    secrets: ["privateKey", "secret"],
    madeWith: { privateKey: hasPrivateKey, secret: hasSecret },
    describe: describeKey,
    isBuiltIn: ({ id }) => id === defaultSigningKeyId,
    isOwn: ({ id }) => id === defaultSigningKeyId,
  },
  { ...named, name: "accessLists", family: accessLists },
  { ...named, name: "emailTemplates", family: emailTemplates },
  {
    ...named,
    name: "consents",
    family: consents,
    references: { consentEmailTemplateId: "emailTemplates", "emailPlus.emailTemplateId": "emailTemplates" },
  },
  {
    ...named,
    name: "formFields",
    family: formFields,
    references: { consentId: "consents" },
    // What the service knows of a key, and what a type leaves no choice of, is not taken from a request.
    fixed: ({ type, key }) =>
      type === "consent" ? ["type"] : type === "email" || managedKeys.has(String(key)) ? ["key"] : ["key", "type", "control"],
    derived: ({ type }) => (type === "consent" ? ["key"] : []),
    isBuiltIn: (_stored, { key, data, name }) => {
      const managed = managedKeys.get(String(key));
      const isMarked = textAt(data, "leftAddon") === managed?.leftAddon || name === `${managed?.title} (${key})`;
      return managed !== undefined && isMarked;
    },
  },
  { ...named, name: "forms", family: forms, references: { "steps[].fields[]": "formFields" }, fixed: () => ["type"] },
  { ...named, name: "lambdas", family: lambdas, fixed: () => ["type"] },
  {
    ...named,
    name: "tenants",
    family: tenants,
    references: toFamilyNames(tenantReferences),
    isBuiltIn: (stored) => parseHidden<{ readonly isDefault?: boolean }>(stored)?.isDefault === true,
  },
  {
    name: "applications",
    family: applications,
    key: ["tenantId", "name"],
    references: { ...ofTenant, ...toFamilyNames(applicationReferences) },
    removal: () => ({ hardDelete: true }),
  },
  {
    name: "applicationRoles",
    family: applicationRoles,
    key: ["applicationId", "name"],
    references: { applicationId: "applications" },
    address: "applicationId",
    nested: { in: "applications", as: "roles" },
  },
  {
    name: "groups",
    family: groups,
    key: ["tenantId", "name"],
    references: { ...ofTenant, "roleIds[]": "applicationRoles" },
    beside: ["roleIds"],
    sets: ["roleIds"],
  },
  {
    ...named,
    name: "apiKeys",
    family: apiKeys,
    references: { ...ofTenant, ipAccessControlListId: "accessLists" },
    fixed: () => ["tenantId", "retrievable"],
    secrets: ["key"],
    madeWith: {
      key: (_service, stored, text) => parseHidden<{ readonly digest: string }>(stored)?.digest === digestSecret(text),
    },
    // A value that the service makes could never be read.
    needs: ({ retrievable }) => (retrievable === false ? ["key"] : []),
    isBuiltIn: ({ id }, { name }) => name === `Bootstrap ${id}`,
    isOwn: ({ id }, { name }) => name === `Bootstrap ${id}`,
  },
  {
    name: "webhooks",
    family: webhooks,
    key: ["url"],
    references: {
      "tenantIds[]": "tenants",
      "applicationIds[]": "applications",
      "signatureConfiguration.signingKeyId": "keys",
      sslCertificateKeyId: "keys",
    },
    sets: ["tenantIds", "applicationIds"],
    secrets: ["headers", "httpAuthenticationPassword"],
  },
  {
    name: "integrations",
    family: integrations,
    key: [],
    references: {},
    isSingle: true,
    secrets: ["broker.producer", "moderation.apiKey", "sms.authToken"],
    isBuiltIn: () => true,
  },
  {
    ...named,
    name: "entityTypes",
    family: entityTypes,
    references: { "jwtConfiguration.accessTokenKeyId": "keys" },
    isBuiltIn: ({ id }) => id === apiEntityTypeId,
  },
  {
    name: "entityTypePermissions",
    family: entityTypePermissions,
    key: ["entityTypeId", "name"],
    references: { entityTypeId: "entityTypes" },
    address: "entityTypeId",
    nested: { in: "entityTypes", as: "permissions" },
  },
  {
    name: "entities",
    family: entities,
    key: ["tenantId", "type.id", "name"],
    references: { ...ofTenant, "type.id": "entityTypes", parentId: "entities" },
    fixed: () => ["type.id"],
    secrets: ["clientSecret"],
    own: ["clientSecret"],
    isBuiltIn: ({ id }, _record, { apiEntityId }) => id === apiEntityId,
  },
  {
    name: "entityGrants",
    family: entityGrants,
    key: ["entityId", "recipientEntityId"],
    references: { entityId: "entities", recipientEntityId: "entities" },
    address: "entityId",
    verbs: { create: () => "upsert", update: "upsert" },
    takesNoId: true,
    removal: ({ recipientEntityId }) => ({ recipientEntityId }),
    // What users may do is data.
    isConfigured: ({ userId }) => userId === undefined,
  },
];

const byName: ReadonlyMap<ConfigFamilyName, ConfigFamily> = new Map(configFamilies.map((row) => [row.name, row]));

/** The row of a family. */
export function rowOf(name: ConfigFamilyName): ConfigFamily {
  const row = byName.get(name);
  if (row === undefined) throw new Error(`${name} is no configuration.`);
  return row;
}

/** The rows of families that stand inside of records of this one. */
export function nestedIn(row: ConfigFamily): readonly ConfigFamily[] {
  return configFamilies.filter(({ nested }) => nested?.in === row.name);
}

/** Families with those that they refer to, directly or not, in their order. */
export function withReferences(names: Iterable<ConfigFamilyName>): readonly ConfigFamily[] {
  const found = new Set<ConfigFamilyName>();
  const visit = (name: ConfigFamilyName): void => {
    if (found.has(name)) return;
    found.add(name);
    const row = rowOf(name);
    for (const { name: inside } of nestedIn(row)) visit(inside);
    for (const target of Object.values(row.references)) visit(target);
  };
  for (const name of names) visit(name);
  return configFamilies.filter(({ name }) => found.has(name));
}
