import type { RulesBySection } from "./rules.js";

/** The rules of the console's server. */
export const consoleRequirements: RulesBySection = {
  "docs/console.md": `
    console.mount console.files console.policy console.options console.set-up console.theme-preview console.sizes console.lazy
    console.scripts console.conflict console.many-users console.start console.host
  `,
  "docs/console.md#session": `
    console.cookie console.session console.sign-in console.two-factor console.confirmation console.cross-site console.apart
  `,
  "docs/console.md#roles": "console.audit console.roles console.administrators",
  "docs/console.md#ten-minutes-as-a-new-administrator": "console.ten-minutes",
  "docs/console.md#from-the-command-line": "console.command",
};
