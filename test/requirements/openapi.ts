import type { Requirement } from "./requirement.js";

const page = "docs/openapi.md";

/** The rules about the OpenAPI document. */
export const openApiRequirements: Readonly<Record<string, Requirement>> = {
  "openapi.derived": { behaviour: "The document is made from the routes and the types of their operations", section: page },
  "openapi.valid": { behaviour: "The document is valid OpenAPI 3.1, and whatever it refers to is in it", section: page },
  "openapi.routes": { behaviour: "The document has every route of the service and nothing else", section: page },
  "openapi.answers": { behaviour: "Every answer of the service is as the document says", section: page },
  "openapi.types": { behaviour: "Types made from the document are those of the in-process API", section: page },
  "openapi.served": { behaviour: "GET /api/openapi.json answers the document to whoever has a credential", section: page },
  "openapi.version": { behaviour: "A service answers the document of its version and plan", section: page },
  "openapi.names": { behaviour: "A service answers the document in its own words and with its own path", section: page },
  "openapi.docs": { behaviour: "With docs: true everybody may read the document, and look at it on a page", section: page },
  "openapi.docs-off": { behaviour: "Without docs: true there is no page", section: page },
  "openapi.docs-safe": { behaviour: "The page loads nothing from elsewhere, and serves no file but its own", section: page },
  "openapi.docs-missing": { behaviour: "A service with docs: true says which package is missing", section: page },
};
