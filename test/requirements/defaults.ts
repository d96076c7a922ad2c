import type { Requirement } from "./requirement.js";

const delivery = "decisions.md, Second stage: Delivery starts by itself";
const lambdas = "decisions.md, Second stage: Lambdas run by default";

/** The rules about what a service does without being told. */
export const defaultsRequirements: Readonly<Record<string, Requirement>> = {
  "defaults.delivery": { behaviour: "A service delivers events, mails and texts without a call of start()", section: delivery },
  "defaults.delivery-off": {
    behaviour: "With delivery: false nothing leaves before start() or settle(), and another process may deliver it",
    section: delivery,
  },
  "defaults.delivery-exit": { behaviour: "Its timers do not keep a process alive", section: delivery },
  "defaults.delivery-close": {
    behaviour: "close() waits for attempts under way, for 10 seconds or as long as the option says",
    section: delivery,
  },
  "defaults.lambdas": {
    behaviour: "Lambdas run without a runner among the options where isolated-vm is installed",
    section: lambdas,
  },
  "defaults.lambdas-missing": {
    behaviour: "Where it is not, lambdas are saved, each run fails and the first one logs the command that installs it",
    section: lambdas,
  },
  "defaults.lambdas-arrow": { behaviour: "One file of the core names an adapter, by its package", section: lambdas },
  "defaults.first-example": {
    behaviour: "The README's first example calls a webhook and enriches a token",
    section: "README.md",
  },
};
