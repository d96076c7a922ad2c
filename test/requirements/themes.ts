import type { RulesBySection } from "./rules.js";

/** The rules of themes as records. */
export const themeRequirements: RulesBySection = {
  "docs/reference/themes.md#calls": "themes.default themes.in-use",
  "docs/reference/themes.md#fields": "themes.fields",
  "docs/reference/themes.md#which-theme-a-page-has": "themes.plan",
};
