import type { Requirement } from "./requirement.js";

const page = "docs/reference/user-actions.md";

/** The rules of actions on users, their reasons, and comments. */
export const userActionRequirements: Readonly<Record<string, Requirement>> = {
  "user-action.fields": {
    behaviour: "An action has the fields of the reference with their defaults",
    section: `${page}#actions`,
  },
  "user-action.inactive": {
    behaviour: "DELETE makes an action inactive, ?reactivate makes it active, ?hardDelete removes it with what was taken",
    section: `${page}#actions`,
  },
  "user-action.templates": { behaviour: "Email templates that an action names are in use", section: `${page}#actions` },
  "user-action.shared": { behaviour: "Keys of a tenant read actions and reasons and change none", section: `${page}#actions` },
  "user-action.reasons": { behaviour: "A reason has a unique code and a unique text", section: `${page}#reasons` },
  "user-action.take": { behaviour: "POST takes an active action on a user", section: `${page}#taking-actions` },
  "user-action.never": { behaviour: "An end of 2^63 - 1 never comes", section: `${page}#taking-actions` },
  "user-action.list": { behaviour: "Actions are listed by user and state", section: `${page}#taking-actions` },
  "user-action.change": {
    behaviour: "A temporal action is changed or canceled until it ends",
    section: `${page}#taking-actions`,
  },
  "user-action.history": {
    behaviour: "An action keeps its newest 1,000 steps, and fewer where they are longer than a body",
    section: `${page}#taking-actions`,
  },
  "user-action.end": { behaviour: "An action ends once, in one process", section: `${page}#taking-actions` },
  "user-action.prevent-login": {
    behaviour: "While an action prevents logins they are 409, refresh tokens have ended, and wrong credentials are 404",
    section: `${page}#prevented-logins`,
  },
  "user-action.events": { behaviour: "user.action is published in all phases", section: `${page}#events-and-mails` },
  "user-action.mails": { behaviour: "The user is mailed in all phases where asked", section: `${page}#events-and-mails` },
  "user-action.comments": { behaviour: "Comments on users are stored, listed and searched", section: `${page}#comments` },
};
