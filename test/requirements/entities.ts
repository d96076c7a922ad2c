import type { RulesBySection } from "./rules.js";

/** The rules of entity types, their permissions, entities and grants. */
export const entityRequirements: RulesBySection = {
  "docs/reference/entities.md": `
    entity-type.fields entity-type.name entity-type.permissions entity-type.key entity-type.in-use entity-type.remove
    permission.fields permission.name permission.type permission.list permission.delete-by-name permission.followed
    entity.fields entity.required entity.name entity.type entity.client-id entity.secret entity.parent entity.parent-in-use
    entity.search entity.delete grant.upsert grant.recipient grant.permissions grant.defaults grant.find grant.remove
    grant.cascade
  `,
  "docs/reference/search.md": "entity-type.search grant.search",
  "docs/reference/api-keys.md#global-endpoints": "entity-type.global grant.tenant",
  "docs/reference/entities.md and docs/reference/service.md#versions-and-plans": "entity-type.version",
  "docs/reference/service.md#versions-and-plans": "entity-type.plan",
  "docs/reference/api-keys.md#permissions and docs/reference/api-keys.md#global-endpoints": "permission.shared",
  "docs/reference/api-keys.md#keys-at-rest": "entity.secret-sealed",
  "docs/reference/tenants.md#tenants": "entity.tenant",
  "docs/reference/wire.md#etags, docs/reference/wire.md#dry-run": "grant.conditional",
  "docs/architecture.md": "service.addressed",
};
