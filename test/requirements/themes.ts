import type { Requirement } from "./requirement.js";

const calls = "docs/reference/themes.md#calls";

/** The rules of themes as records. */
export const themeRequirements: Readonly<Record<string, Requirement>> = {
  "themes.default": { behaviour: "The default theme has a fixed id; it can be changed and not removed", section: calls },
  "themes.fields": { behaviour: "A theme answers its fields, empty maps too", section: "docs/reference/themes.md#fields" },
  "themes.in-use": { behaviour: "A theme that a tenant or an application names cannot be removed", section: calls },
  "themes.plan": {
    behaviour: "Applications have themes of their own from the plan starter on",
    section: "docs/reference/themes.md#which-theme-a-page-has",
  },
};
