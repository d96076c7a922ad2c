import type { RulesBySection } from "./rules.js";

/** The rules of actions on users, their reasons, and comments. */
export const userActionRequirements: RulesBySection = {
  "docs/reference/user-actions.md#actions": "user-action.fields user-action.inactive user-action.templates user-action.shared",
  "docs/reference/user-actions.md#reasons": "user-action.reasons",
  "docs/reference/user-actions.md#taking-actions": `
    user-action.take user-action.never user-action.list user-action.change user-action.history user-action.end
  `,
  "docs/reference/user-actions.md#prevented-logins": "user-action.prevent-login",
  "docs/reference/user-actions.md#events-and-mails": "user-action.events user-action.mails",
  "docs/reference/user-actions.md#comments": "user-action.comments",
};
