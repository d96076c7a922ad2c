import type { RulesBySection } from "./rules.js";

/** Rules of the typed client. */
export const clientRequirements: RulesBySection = {
  "docs/client.md": `
    client.calls client.same client.result client.no-answer client.input client.credentials client.retry client.retry-safe
    client.search-all client.bundle client.options
  `,
  "docs/reference/api-keys.md#new-changed-and-revoked-keys": "client.new-key",
};
