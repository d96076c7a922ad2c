export * as entities from "./entities/rules.js";
export * as entityGrants from "./entity-grants/rules.js";
export * as entityTypePermissions from "./entity-type-permissions/rules.js";
export * as entityTypes from "./entity-types/rules.js";
