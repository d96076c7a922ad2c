import type { RulesBySection } from "./rules.js";

/** Rules of tokens that are bound to a key of the client (RFC 9449). */
export const dpopRequirements: RulesBySection = {
  "docs/reference/authentication.md#schemes": "dpop.accepted",
  "docs/reference/authentication.md#dpop": "dpop.proof dpop.window dpop.schemes dpop.binding",
  "RFC 9449, 4.3": "dpop.algorithms dpop.url",
  "RFC 9449, 4 to 7": "dpop.examples",
  "docs/reference/threats.md, 34": "dpop.once dpop.kept dpop.proxies",
  "docs/reference/service.md#versions-and-plans": "dpop.version dpop.plan",
};
