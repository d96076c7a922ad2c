import type { Requirement } from "./requirement.js";

const delivery = "docs/reference/events.md#delivery-starts-by-itself";
const lambdas = "docs/reference/lambdas.md#lambdas-run-by-default";

const strict = "docs/reference/wire.md#unknown-members-and-options";
const bootstrapKey = "docs/reference/api-keys.md#bootstrap-key";

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
  "service.unknown-options": {
    behaviour: "An option that does not exist is a TypeError that names the nearest one, in every group of options",
    section: strict,
  },
  "service.clear-errors": {
    behaviour: "What keeps a service from its start is said with its rule and what to do",
    section: strict,
  },
  "service.weak-key": {
    behaviour: "A bootstrap key under 32 characters is warned about, and refused in production unless allowWeakApiKey",
    section: bootstrapKey,
  },
  "in-process.unknown": {
    behaviour: "A member of a call in process that does not exist is 400 [unknown]<path> with the nearest name, at every level",
    section: strict,
  },
  "in-process.known": {
    behaviour: "Members that answers carry, other words of the reference, undefined and free-form maps are taken",
    section: strict,
  },
  "in-process.wire": { behaviour: "Over HTTP unknown members are ignored, and so they are in documents", section: strict },
  "defaults.first-example": {
    behaviour: "The README's first example calls a webhook and enriches a token",
    section: "README.md",
  },
};
