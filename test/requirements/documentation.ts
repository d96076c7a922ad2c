import type { RulesBySection } from "./rules.js";

/** The rules about what users read, and about what they install. */
export const documentationRequirements: RulesBySection = {
  "docs/README.md": `
    docs.snippets docs.examples docs.transcripts docs.links docs.site docs.citations docs.language docs.index
  `,
  "README.md": "docs.claims",
  "docs/releases.md": "release.changelog release.candidate release.dry-run release.announced",
};
