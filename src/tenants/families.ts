export * as applicationRoles from "./application-roles/rules.js";
export * as applications from "./applications/rules.js";
export * as tenants from "./tenants/rules.js";
export * as themes from "./themes/rules.js";
