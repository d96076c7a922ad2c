import type { Requirement } from "./requirement.js";

const limits = "docs/reference/lambdas.md#lambda-limits";

/** The rules about what runs lambdas. What every runner must do is in test/contract/lambda-runner. */
export const lambdaRunnerRequirements: Readonly<Record<string, Requirement>> = {
  "runner.lazy": {
    behaviour: "No process is started before the first run, idle ones end",
    section: "docs/internals/design.md#lambdas",
  },
  "runner.leaves-nothing": { behaviour: "No process outlives close() or the host", section: "docs/internals/design.md#lambdas" },
  "runner.holds-nothing": {
    behaviour: "A process that runs lambdas has no environment, no file but its own and no handle but its pipes",
    section: "docs/reference/threats.md, 1",
  },
  "runner.kills": {
    behaviour: "What the engine cannot end is killed, others are answered meanwhile",
    section: "docs/reference/threats.md, 2, 3",
  },
  "runner.harmless": {
    behaviour: "No body escapes, reads what is not its own, reaches the next call or grows the host",
    section: "docs/reference/threats.md, 1, 3, 5, 6",
  },
  "runner.others": {
    behaviour: "While hostile bodies run, requests are answered within a second, and the event loop is not delayed",
    section: "docs/reference/threats.md, 2, 4",
  },
  "runner.once": { behaviour: "The calls behind a killed run are run again elsewhere, once", section: limits },
  "runner.bounded": {
    behaviour: "Runs that wait are bounded, for each tenant and in all",
    section: "docs/reference/threats.md, 4",
  },
  "runner.turns": { behaviour: "Tenants are served in turn", section: "docs/reference/threats.md, 4" },
  "runner.flat": { behaviour: "Many runs leave the host's memory as it was", section: limits },
};
