import type { Requirement } from "./requirement.js";

const at = (anchor: string): string => `docs/reference/passkeys.md#${anchor}`;

/** The rules of passkeys. */
export const passkeyRequirements: Readonly<Record<string, Requirement>> = {
  "passkey.register": {
    behaviour: "A passkey that answers the options is stored, with what its flags say",
    section: at("register"),
  },
  "passkey.algorithms": {
    behaviour: "Each algorithm that is offered registers and logs in; others are refused",
    section: at("register"),
  },
  "passkey.registration-refused": { behaviour: "An answer that is not valid is 400 with the reason", section: at("register") },
  "passkey.limits": { behaviour: "A user has at most 50 passkeys; ids are unique in a tenant", section: at("limits") },
  "passkey.own": { behaviour: "A user's token reaches the user's own passkeys alone", section: at("who-may-call") },
  "passkey.login": { behaviour: "A login with a passkey answers as any login does", section: at("log-in") },
  "passkey.login-rules": {
    behaviour: "What holds for a login with a password holds for one with a passkey",
    section: at("log-in"),
  },
  "passkey.login-refused": { behaviour: "An answer that is not valid is 404, alike for all reasons", section: at("log-in") },
  "passkey.challenge": {
    behaviour: "A challenge works once, for its time, tenant, user and purpose, in any process",
    section: at("challenges"),
  },
  "passkey.counter": { behaviour: "A count that does not go up is refused and in the event log", section: at("sign-count") },
  "passkey.second-factor": { behaviour: "A passkey that verified the user is both factors", section: at("second-factor") },
  "passkey.second-step": {
    behaviour: "A passkey finishes a login that waits for a second factor, where secondFactorWorkflow allows it",
    section: at("second-factor"),
  },
  "passkey.second-step-refused": {
    behaviour: "A passkey that does not answer the challenge of this login is 421, and the challenge is used up",
    section: at("second-factor"),
  },
  "passkey.assert": { behaviour: "An assertion proves a passkey without a login", section: at("step-up") },
  "passkey.origins": { behaviour: "Answers count from pages of the relying party alone", section: at("origins") },
  "passkey.workflows": {
    behaviour: "Workflows are enabled by the tenant, or by the application in its place",
    section: at("settings"),
  },
  "passkey.setup": { behaviour: "Calls say what is not set up", section: at("settings") },
  "passkey.manage": { behaviour: "Passkeys are listed and removed, one by one or all of a user", section: at("manage") },
  "passkey.cascade": { behaviour: "Passkeys go with their user and tenant", section: at("manage") },
  "passkey.audit": { behaviour: "The audit log has new and removed passkeys", section: at("manage") },
  "passkey.import": { behaviour: "Passkeys of another system are imported, all or none, and log in", section: at("import") },
  "passkey.versions": { behaviour: "Passkeys exist since 1.41.0, and need the plan essentials", section: at("settings") },
  "passkey.peer": { behaviour: "A missing library is named, with the command", section: at("settings") },
};
