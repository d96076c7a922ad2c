import type { RulesBySection } from "./rules.js";

/** The limits of requests and answers. */
export const sizeRequirements: RulesBySection = {
  "docs/reference/wire.md#sizes": `
    sizes.bounded sizes.lists sizes.bulk sizes.errors sizes.bytes sizes.answers sizes.anonymous sizes.in-turn sizes.unsent
    sizes.drained
  `,
  "docs/reference/wire.md#text-and-encodings": "text.one-gate",
};
