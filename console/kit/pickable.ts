import { api, unwrap } from "../app/api.js";
import type { PickableFamily } from "./record-form/member-families.js";
import { toUserQuery } from "./user-query.js";

export type { PickableFamily } from "./record-form/member-families.js";

/** A record to choose: its id and its name. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

/** Search criteria in addition to the name. */
export type PickCriteria = Readonly<Record<string, string>>;

/** The search, the names and the links of a family's records. */
export interface Pickable {
  /** Searches by the typed text, and by further criteria such as `{ type: "JWTPopulate" }`. */
  find(text: string, signal: AbortSignal, criteria?: PickCriteria): Promise<readonly Choice[]>;
  name(id: string): Promise<Choice>;
  /** The path of the record's screen. */
  path(id: string): string;
}

interface Named {
  readonly id: string;
  readonly name?: string | undefined;
}

const few = { numberOfResults: 20 };
const contains = (name: string): { readonly name: string } | object => (name === "" ? {} : { name });
const toChoice = ({ id, name }: Named): Choice => ({ id, label: name ?? id });

interface Person extends Named {
  readonly email?: string | undefined;
  readonly username?: string | undefined;
  readonly fullName?: string | undefined;
}

/** The name of a user in lists: the email, else the username, the full name or the id. */
export function nameOfUser({ email, fullName, id, username }: Omit<Person, "name">): string {
  return email ?? username ?? fullName ?? id;
}

export { toUserQuery } from "./user-query.js";

const users: Pickable = {
  find: async (text, signal) => {
    const search = { ...few, queryString: toUserQuery(text) };
    const found = unwrap(await api.users.search({ search }, { signal })).users ?? [];
    return found.map((user) => ({ id: user.id, label: nameOfUser(user), detail: user.fullName }));
  },
  name: async (userId) => {
    const { user } = unwrap(await api.users.retrieve({ userId }));
    return { id: user.id, label: nameOfUser(user), detail: user.fullName };
  },
  path: (id) => `/users/${id}`,
};

/** The families with pickable records. The server searches each of them, except that connectors are filtered here. */
export const pickables = {
  user: users,
  group: {
    find: async (name, signal) =>
      (unwrap(await api.groups.search({ search: { ...few, ...contains(name) } }, { signal })).groups ?? []).map(toChoice),
    name: async (groupId) => toChoice(unwrap(await api.groups.retrieve({ groupId })).group),
    path: (id) => `/groups/${id}`,
  },
  application: {
    find: async (name, signal) =>
      (unwrap(await api.applications.search({ search: { ...few, ...contains(name) } }, { signal })).applications ?? []).map(
        toChoice,
      ),
    name: async (applicationId) => toChoice(unwrap(await api.applications.retrieve({ applicationId })).application),
    path: (id) => `/applications/${id}`,
  },
  tenant: {
    find: async (name, signal) =>
      (unwrap(await api.tenants.search({ search: { ...few, ...contains(name) } }, { signal })).tenants ?? []).map(toChoice),
    name: async (tenantId) => toChoice(unwrap(await api.tenants.retrieve({ tenantId })).tenant),
    path: (id) => `/tenants/${id}`,
  },
  entity: {
    find: async (name, signal) => {
      const search = { ...few, queryString: name === "" ? "*" : `name:"${name.replace(/["\\*]/g, "")}*"` };
      return (unwrap(await api.entities.search({ search }, { signal })).entities ?? []).map(toChoice);
    },
    name: async (entityId) => toChoice(unwrap(await api.entities.retrieve({ entityId })).entity),
    path: (id) => `/entities/${id}`,
  },
  entityType: {
    find: async (name, signal) =>
      (unwrap(await api.entityTypes.search({ search: { ...few, ...contains(name) } }, { signal })).entityTypes ?? []).map(
        toChoice,
      ),
    name: async (entityTypeId) => toChoice(unwrap(await api.entityTypes.retrieve({ entityTypeId })).entityType),
    path: (id) => `/entities/types/${id}`,
  },
  emailTemplate: {
    find: async (name, signal) =>
      (unwrap(await api.emailTemplates.search({ search: { ...few, ...contains(name) } }, { signal })).emailTemplates ?? []).map(
        toChoice,
      ),
    name: async (emailTemplateId) => toChoice(unwrap(await api.emailTemplates.retrieve({ emailTemplateId })).emailTemplate),
    path: (id) => `/templates/email/${id}`,
  },
  lambda: {
    find: async (name, signal, criteria) =>
      (unwrap(await api.lambdas.search({ search: { ...few, ...contains(name), ...criteria } }, { signal })).lambdas ?? []).map(
        toChoice,
      ),
    name: async (lambdaId) => toChoice(unwrap(await api.lambdas.retrieve({ lambdaId })).lambda),
    path: (id) => `/lambdas/${id}`,
  },
  key: {
    find: async (name, signal) =>
      (unwrap(await api.keys.search({ search: { ...few, ...contains(name) } }, { signal })).keys ?? []).map(toChoice),
    name: async (keyId) => toChoice(unwrap(await api.keys.retrieve({ keyId })).key),
    path: (id) => `/keys/${id}`,
  },
  identityProvider: {
    find: async (name, signal) =>
      (
        unwrap(await api.identityProviders.search({ search: { ...few, ...contains(name) } }, { signal })).identityProviders ?? []
      ).map(toChoice),
    name: async (identityProviderId) =>
      toChoice(unwrap(await api.identityProviders.retrieve({ identityProviderId })).identityProvider),
    path: (id) => `/providers/${id}`,
  },
  connector: {
    find: async (name) =>
      (unwrap(await api.connectors.list({})).connectors ?? [])
        .filter((one) => one.name.toLowerCase().includes(name.toLowerCase()))
        .map(toChoice),
    name: async (connectorId) => toChoice(unwrap(await api.connectors.retrieve({ connectorId })).connector),
    path: (id) => `/connectors/${id}`,
  },
  theme: {
    find: async (name, signal) =>
      (unwrap(await api.themes.search({ search: { ...few, ...contains(name) } }, { signal })).themes ?? []).map(toChoice),
    name: async (themeId) => toChoice(unwrap(await api.themes.retrieve({ themeId })).theme),
    path: (id) => `/themes/${id}`,
  },
  accessList: {
    find: async (name, signal) =>
      (
        unwrap(await api.accessLists.search({ search: { ...few, ...contains(name) } }, { signal })).ipAccessControlLists ?? []
      ).map(toChoice),
    name: async (ipAccessControlListId) =>
      toChoice(unwrap(await api.accessLists.retrieve({ ipAccessControlListId })).ipAccessControlList),
    path: (id) => `/access-lists/${id}`,
  },
} as const satisfies Readonly<Record<PickableFamily, Pickable>>;
