import type { RulesBySection } from "./rules.js";

/** The rules of secrets that are rotated. */
export const secretRequirements: RulesBySection = {
  "docs/operations.md#secrets": `
    rotation.everything rotation.unnoticed rotation.places rotation.dry-run rotation.progress rotation.resume rotation.beside
    rotation.missing rotation.left rotation.audit rotation.options
  `,
};
