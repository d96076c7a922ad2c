import type { Requirement } from "./requirement.js";

const facts = "docs/reference/entities.md";
const catalogue = "docs/reference/api-keys.md#global-endpoints";
const version = "docs/reference/entities.md and docs/reference/service.md#versions-and-plans";

/** The rules of entity types, their permissions, entities and grants. */
export const entityRequirements: Readonly<Record<string, Requirement>> = {
  "entity-type.fields": { behaviour: "A type has a name, data, jwtConfiguration and permissions", section: facts },
  "entity-type.name": { behaviour: "A type's name is required and unique in any case", section: facts },
  "entity-type.permissions": {
    behaviour: "Permissions are made along with a type, and later at paths of their own",
    section: facts,
  },
  "entity-type.key": { behaviour: "The key that a type names exists, or 400", section: facts },
  "entity-type.search": {
    behaviour: "Types are searched by name; sortable are entityTypePermissionsCount, id, both instants and name",
    section: "docs/reference/search.md",
  },
  "entity-type.in-use": {
    behaviour: "A type of which there are entities cannot be removed: 400 [inUse]entityTypeId",
    section: facts,
  },
  "entity-type.remove": { behaviour: "A type goes with its permissions", section: facts },
  "entity-type.global": { behaviour: "Types are for global keys without a tenant header only", section: catalogue },
  "entity-type.version": { behaviour: "Entities and all about them exist from 1.26.0 on", section: version },
  "entity-type.plan": {
    behaviour: "Entities and all about them need the plan starter",
    section: "docs/reference/service.md#versions-and-plans",
  },

  "permission.fields": { behaviour: "A permission has a name, a description, data and a mark for defaults", section: facts },
  "permission.name": { behaviour: "A permission's name is required and unique in its type in any case", section: facts },
  "permission.type": { behaviour: "A permission is found below its own type only", section: facts },
  "permission.list": { behaviour: "GET answers one permission of a type, or all in order of name", section: facts },
  "permission.delete-by-name": { behaviour: "DELETE takes the name in the query instead of an id", section: facts },
  "permission.followed": { behaviour: "Grants follow a permission that is renamed and lose one that goes", section: facts },
  "permission.shared": {
    behaviour: "A tenant-scoped key may read permissions, which all tenants share, and change none",
    section: "docs/reference/api-keys.md#permissions and docs/reference/api-keys.md#global-endpoints",
  },

  "entity.fields": {
    behaviour: "An entity has the fields of docs/reference/entities.md; its type is shown as {id}",
    section: facts,
  },
  "entity.required": { behaviour: "Name and type are required", section: facts },
  "entity.name": { behaviour: "A name is unique by type and tenant in any case", section: facts },
  "entity.type": { behaviour: "The type exists and is never changed", section: facts },
  "entity.client-id": { behaviour: "The client id is the entity's id unless given, and unique in the service", section: facts },
  "entity.secret": {
    behaviour: "The client secret is 256 random bits unless given, shown, and kept by PUT and PATCH",
    section: facts,
  },
  "entity.secret-sealed": {
    behaviour: "The client secret is never stored in plain, searched or logged",
    section: "docs/reference/api-keys.md#keys-at-rest",
  },
  "entity.parent": { behaviour: "A parent is an entity of the same tenant, and no entity is above itself", section: facts },
  "entity.parent-in-use": { behaviour: "An entity with children cannot be removed: 400 [inUse]entityId", section: facts },
  "entity.search": { behaviour: "Entities are searched by ids, queryString and query, ordered by sortFields", section: facts },
  "entity.tenant": {
    behaviour: "Entities go with their tenant, and their grants with them",
    section: "docs/reference/tenants.md#tenants",
  },
  "entity.delete": { behaviour: "An entity goes with the grants on it and to it", section: facts },

  "grant.upsert": { behaviour: "POST and PUT make or replace the grant to a recipient: 200 without a body", section: facts },
  "grant.recipient": { behaviour: "A grant is to an entity or a user of the entity's tenant, one of the two", section: facts },
  "grant.permissions": {
    behaviour: "Permissions are a set of names of the entity's type, in any case, kept as the type spells them",
    section: facts,
  },
  "grant.defaults": { behaviour: "A new grant without permissions holds the default ones", section: facts },
  "grant.find": { behaviour: "GET answers {grant} for a recipient, and {grants} without one", section: facts },
  "grant.remove": { behaviour: "DELETE removes the grant to a recipient", section: facts },
  "grant.search": {
    behaviour: "Grants are searched by entityId, name and userId; sortable are insertInstant and name",
    section: "docs/reference/search.md",
  },
  "grant.cascade": { behaviour: "A grant goes with its entity, its recipient or its user", section: facts },
  "grant.tenant": { behaviour: "Grants are seen and made inside of the caller's tenant only", section: catalogue },
  "grant.conditional": {
    behaviour: "If-Match and dryRun hold for grants too",
    section: "docs/reference/wire.md#etags, docs/reference/wire.md#dry-run",
  },

  "service.addressed": {
    behaviour: "In process, what lies below another record is named by both ids",
    section: "docs/architecture.md",
  },
};
