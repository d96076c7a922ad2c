import type { RulesBySection } from "./rules.js";

/** The rules about what runs lambdas. What every runner must do is in test/contract/lambda-runner. */
export const lambdaRunnerRequirements: RulesBySection = {
  "docs/internals/design.md#lambdas": "runner.lazy runner.leaves-nothing",
  "docs/reference/threats.md, 1": "runner.holds-nothing",
  "docs/reference/threats.md, 2, 3": "runner.kills",
  "docs/reference/threats.md, 1, 3, 5, 6": "runner.harmless",
  "docs/reference/threats.md, 2, 4": "runner.others",
  "docs/reference/lambdas.md#lambda-limits": "runner.once runner.flat",
  "docs/reference/threats.md, 4": "runner.bounded runner.turns",
};
