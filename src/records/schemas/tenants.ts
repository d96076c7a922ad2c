export { roleRequest } from "../application-roles/schema.js";
export { applicationRequest } from "../applications/schema.js";
export { tenantRequest } from "../tenants/schema.js";
export { themeRequest } from "../themes/schema.js";
