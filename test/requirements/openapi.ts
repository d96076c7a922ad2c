import type { RulesBySection } from "./rules.js";

/** The rules about the OpenAPI document. */
export const openApiRequirements: RulesBySection = {
  "docs/openapi.md": `
    openapi.derived openapi.valid openapi.routes openapi.answers openapi.types openapi.served openapi.version openapi.names
    openapi.docs openapi.docs-off openapi.docs-safe openapi.docs-missing
  `,
};
