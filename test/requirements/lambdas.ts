import type { RulesBySection } from "./rules.js";

/** The rules about lambdas. */
export const lambdasRequirements: RulesBySection = {
  "docs/reference/lambdas.md#types": `
    lambda.fields lambda.required lambda.types lambda.scim-names lambda.engine lambda.versions lambda.changes
    lambda-place.jwt-reserved lambda-place.jwt-shortened lambda-place.client-reserved
  `,
  "docs/reference/lambdas.md#fields": "lambda.enabled lambda.names lambda.list lambda.search lambda.search-order lambda.delete",
  "docs/lambdas-places.md": "lambda.caused",
  "docs/reference/patch.md#validation": "lambda.type-fixed lambda.patch",
  "docs/reference/lambdas.md#body": "lambda.function lambda.syntax lambda.strict",
  "docs/reference/threats.md, 6": "lambda.not-run",
  "docs/reference/lambdas.md#lambda-limits": "lambda.body-size",
  "docs/reference/errors.md#statuses": "lambda.body-hostile",
  "docs/reference/service.md#versions-and-plans": "lambda.nashorn lambda.plans",
  "docs/reference/api-keys.md#global-endpoints": "lambda.access",
  "docs/reference/lambdas.md#a-lambda-that-throws": `
    lambda.failures lambda-place.jwt-failure lambda-place.client-failure lambda-place.validation-failure
    lambda-place.second-factor-failure lambda-place.userinfo-failure lambda.noted-debug
  `,
  "docs/reference/lambdas.md#types, docs/lambdas-running.md": "lambda.in-process",
  "docs/lambdas.md": "lambda.test lambda.secrets lambda.secrets-redacted",
  "docs/reference/lambdas.md#context": "lambda-place.context",
  "docs/reference/lambdas.md#types, docs/reference/lambdas.md#where-each-is-attached":
    "lambda-place.jwt lambda-place.client lambda-place.userinfo",
  "docs/reference/lambdas.md#validation-lambdas": "lambda-place.validation lambda-place.validation-event lambda-place.suspicious",
  "docs/reference/lambdas.md#where-each-is-attached, docs/reference/lambdas.md#validation-lambdas": "lambda-place.second-factor",
  "docs/reference/lambdas.md#where-each-is-attached": "lambda-place.kind",
  "docs/reference/lambdas.md#types, docs/reference/service.md#versions-and-plans": "lambda-place.available",
  "test/bench/README.md": "lambda-place.free",
  "docs/reference/tokens.md#access-tokens, OIDC Core 5.3": "userinfo.claims",
  "OIDC Core 5.3, RFC 6750 3": "userinfo.credential",
  "docs/reference/lambdas.md#runtime, Language": "lambda.not-async",
  "docs/reference/lambdas.md#runtime, console": "lambda.noted",
  "docs/lambdas-running.md": "lambda.breaker lambda.host-functions",
  "docs/reference/lambdas.md#runtime": "lambda.fetch lambda.fetch-limits lambda.recursion",
  "docs/reference/threats.md, 1": "lambda.fetch-guard",
  "docs/lambdas-running.md#values-of-a-tenant": "lambda.tenant-values",
  "docs/lambdas-api.md": "lambda.api",
  "docs/lambdas-api.md#limits": "lambda.api-bounds",
  "docs/lambdas-api.md#permissions": "lambda.api-permissions",
  "docs/lambdas-api.md#transactions": "lambda.api-transactions",
  "docs/lambdas-modules.md#chains": "lambda.chain",
  "docs/lambdas-modules.md#modules": "lambda.modules",
  "docs/lambdas-modules.md#versions": "lambda.history",
  "docs/lambdas-modules.md#staged-rollout": "lambda.rollout",
  "docs/reference/lambdas.md#test-calls": "lambda.metrics",
};
