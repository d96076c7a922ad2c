import type { Requirement } from "./requirement.js";

const section = "docs/testing.md";

/** The rules about the kit for tests, and about what it needs of the service. */
export const testingRequirements: Readonly<Record<string, Requirement>> = {
  "settle.delivers": {
    behaviour: "settle() delivers all that is due, started or not, and answers when more is",
    section: "docs/operations.md#without-timers",
  },
  "settle.housekeeping": {
    behaviour: "settle() does the housekeeping that is due",
    section: "docs/operations.md#without-timers",
  },
  "settle.outside": {
    behaviour: "settle() is refused inside of the host's transaction, which it would wait for",
    section: "docs/operations.md#without-timers",
  },
  "delivery.jitter": {
    behaviour: "Pauses between attempts are longer by a share that the host says",
    section: "docs/events.md#how-fast",
  },
  "http.host": { behaviour: "A host may make the service's calls over HTTP itself", section },
  "testing.events": { behaviour: "Every event is captured once it has left, typed by its type", section },
  "testing.webhooks": {
    behaviour: "Webhooks get what a receiver would, signature included, and answer as the test says",
    section,
  },
  "testing.clock": { behaviour: "The clock stands still; what is due on the way happens at its own instant", section },
  "testing.seed": { behaviour: "With a seed, ids and random values are the same in each run", section },
  "testing.outgoing": {
    behaviour: "Mails, text messages and moderation calls are captured, and answered as the test says",
    section,
  },
  "testing.callers": { behaviour: "Callers have fresh keys with the rights that the test gives them", section },
  "testing.lambdas": { behaviour: "Lambdas run on the runner of the options, in the service and in its harness", section },
  "testing.options": { behaviour: "Versions, plans, names and kickstarts are those of the service", section },
  "testing.factories": { behaviour: "Each family has a factory whose records the service takes", section },
};
