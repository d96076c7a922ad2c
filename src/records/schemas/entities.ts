export { entityRequest } from "../entities/schema.js";
export { entityGrantRequest } from "../entity-grants/schema.js";
export { permissionRequest } from "../entity-type-permissions/schema.js";
export { entityTypeRequest } from "../entity-types/schema.js";
