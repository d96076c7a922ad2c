import type { RulesBySection } from "./rules.js";

/** The rules about what a service does without being told. */
export const defaultsRequirements: RulesBySection = {
  "docs/reference/events.md#delivery-starts-by-itself":
    "defaults.delivery defaults.delivery-off defaults.delivery-exit defaults.delivery-close",
  "docs/reference/lambdas.md#lambdas-run-by-default": "defaults.lambdas defaults.lambdas-missing defaults.lambdas-arrow",
  "docs/reference/wire.md#unknown-members-and-options": `
    service.unknown-options service.clear-errors in-process.unknown in-process.known in-process.wire
    wire.settings-without-effect wire.settings-for-own-pages
    service.strict-keys wire.accepted-members
  `,
  "docs/reference/api-keys.md#bootstrap-key": "service.weak-key",
  "docs/embedding.md#in-process": "in-process.input in-process.return-ids",
  "docs/embedding.md#start-and-stop": "service.close",
  "docs/reference/errors.md#causes": "errors.causes",
  "README.md": "defaults.first-example",
};
