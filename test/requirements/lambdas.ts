import type { Requirement } from "./requirement.js";

const faults = "docs/reference/lambdas.md#body";

const thrown = "docs/reference/lambdas.md#a-lambda-that-throws";

/** The rules about lambdas. */
export const lambdasRequirements: Readonly<Record<string, Requirement>> = {
  "lambda.fields": {
    behaviour: "A lambda shows exactly the fields of the reference, with their defaults",
    section: "docs/reference/lambdas.md#types",
  },
  "lambda.required": { behaviour: "name and body are required, on POST type too", section: "docs/reference/lambdas.md#types" },
  "lambda.enabled": { behaviour: "enabled is kept and shown, and unused", section: "docs/reference/lambdas.md#fields" },
  "lambda.names": { behaviour: "Two lambdas may have the same name", section: "docs/reference/lambdas.md#fields" },
  "lambda.types": {
    behaviour: "The 27 types are taken, each with a body that has its function",
    section: "docs/reference/lambdas.md#types",
  },
  "lambda.caused": {
    behaviour: "Each of the 27 types runs at the place that its protocol gives it",
    section: "docs/lambdas-places.md",
  },
  "lambda.type-fixed": { behaviour: "The type stays, whatever PUT and PATCH say", section: "docs/reference/patch.md#validation" },
  "lambda.scim-names": {
    behaviour: "Both names of a SCIM type are taken as the same type, and shown as they were sent",
    section: "docs/reference/lambdas.md#types",
  },
  "lambda.function": {
    behaviour: "A body without its type's function at the top is [invalid]lambda.body with line and column",
    section: faults,
  },
  "lambda.syntax": { behaviour: "A body with a syntax error is [invalid]lambda.body with line and column", section: faults },
  "lambda.not-run": { behaviour: "Saving a lambda runs nothing of it", section: "docs/reference/threats.md, 6" },
  "lambda.body-size": {
    behaviour: "A body has at most 200 kB, or what the host says",
    section: "docs/reference/lambdas.md#lambda-limits",
  },
  "lambda.body-hostile": {
    behaviour: "No body takes long to check or is answered with anything but 200 and 400",
    section: "docs/reference/errors.md#statuses",
  },
  "lambda.engine": {
    behaviour: "engineType is GraalJS when it is not said, from 1.35.0 on",
    section: "docs/reference/lambdas.md#types",
  },
  "lambda.nashorn": { behaviour: "Nashorn is an engine until 1.49.0", section: "docs/reference/service.md#versions-and-plans" },
  "lambda.versions": { behaviour: "A type is none before its version", section: "docs/reference/lambdas.md#types" },
  "lambda.plans": {
    behaviour: "A type that needs another plan is [notLicensed]lambda.type",
    section: "docs/reference/service.md#versions-and-plans",
  },
  "lambda.patch": { behaviour: "PATCH checks the merged lambda as PUT does", section: "docs/reference/patch.md#validation" },
  "lambda.list": {
    behaviour: "All lambdas are listed in order of name, or those of one type; an unknown one is [couldNotConvert]type",
    section: "docs/reference/lambdas.md#fields",
  },
  "lambda.search": {
    behaviour: "Lambdas are searched by body and name with wildcards and by type",
    section: "docs/reference/lambdas.md#fields",
  },
  "lambda.search-order": {
    behaviour: "Found lambdas are in order of name; id, insertInstant, name and engineType can be sorted by",
    section: "docs/reference/lambdas.md#fields",
  },
  "lambda.delete": { behaviour: "A removed lambda is gone", section: "docs/reference/lambdas.md#fields" },
  "lambda.access": {
    behaviour: "Only a global key may call the lambda endpoints",
    section: "docs/reference/api-keys.md#global-endpoints",
  },

  // The kit
  "lambda.changes": {
    behaviour: "Each kind changes its own arguments, reserved members and all others stay",
    section: "docs/reference/lambdas.md#types",
  },
  "lambda.failures": {
    behaviour: "A failed populate changes nothing; any other failure is [LambdaFailed]",
    section: "docs/reference/lambdas.md#a-lambda-that-throws",
  },
  "lambda.in-process": {
    behaviour: "A stored lambda of any kind is run in process, with arguments that are checked against its kind",
    section: "docs/reference/lambdas.md#types, docs/lambdas-running.md",
  },
  "lambda.test": {
    behaviour: "A saved or unsaved lambda is tried out: arguments, console, duration and outcome come back, nothing is kept",
    section: "docs/lambdas.md",
  },

  // Lambdas at their places in the service
  "lambda-place.context": {
    behaviour: "context holds tenant, application and request, and what the kind has beside; nothing secret",
    section: "docs/reference/lambdas.md#context",
  },
  "lambda-place.jwt": {
    behaviour: "JWTPopulate of the application changes its access tokens at login, second factor and refresh",
    section: "docs/reference/lambdas.md#types, docs/reference/lambdas.md#where-each-is-attached",
  },
  "lambda-place.jwt-reserved": {
    behaviour: "Reserved claims are restored, and a token opens nothing more by what a lambda writes",
    section: "docs/reference/lambdas.md#types",
  },
  "lambda-place.jwt-shortened": {
    behaviour: "exp may be made earlier, from 1.59.0 on",
    section: "docs/reference/lambdas.md#types",
  },
  "lambda-place.jwt-failure": { behaviour: "Of a failed JWTPopulate the token is as it was", section: thrown },
  "lambda-place.client": {
    behaviour: "ClientCredentialsJWTPopulate of the tenant changes the tokens of its clients",
    section: "docs/reference/lambdas.md#types, docs/reference/lambdas.md#where-each-is-attached",
  },
  "lambda-place.client-reserved": {
    behaviour: "Reserved claims of a client's token are restored",
    section: "docs/reference/lambdas.md#types",
  },
  "lambda-place.client-failure": { behaviour: "Of a failed lambda a client's token is as it was", section: thrown },
  "lambda-place.validation": {
    behaviour: "LoginValidation of the tenant refuses a proven login with exactly its errors, by every way to log in",
    section: "docs/reference/lambdas.md#validation-lambdas",
  },
  "lambda-place.validation-event": {
    behaviour: "user.login.failed tells that a lambda refused, which, and why",
    section: "docs/reference/lambdas.md#validation-lambdas",
  },
  "lambda-place.validation-failure": { behaviour: "A failed LoginValidation is 400 [LambdaFailed]", section: thrown },
  "lambda-place.second-factor": {
    behaviour: "MFARequirement of the application, else of the tenant, decides whether a second factor is asked for",
    section: "docs/reference/lambdas.md#where-each-is-attached, docs/reference/lambdas.md#validation-lambdas",
  },
  "lambda-place.suspicious": {
    behaviour: "sendSuspiciousLoginEvent publishes user.login.suspicious",
    section: "docs/reference/lambdas.md#validation-lambdas",
  },
  "lambda-place.second-factor-failure": { behaviour: "A failed MFARequirement is 400 [LambdaFailed]", section: thrown },
  "lambda-place.userinfo": {
    behaviour: "UserInfoPopulate of the token's application changes the answer of userinfo, all but sub",
    section: "docs/reference/lambdas.md#types, docs/reference/lambdas.md#where-each-is-attached",
  },
  "lambda-place.userinfo-failure": { behaviour: "Of a failed UserInfoPopulate the answer is as it was", section: thrown },
  "lambda-place.kind": {
    behaviour: "A lambda of another kind than its place takes is [invalid]<path>",
    section: "docs/reference/lambdas.md#where-each-is-attached",
  },
  "lambda-place.available": {
    behaviour: "A place is as old as its kind of lambdas, and needs the same plan",
    section: "docs/reference/lambdas.md#types, docs/reference/service.md#versions-and-plans",
  },
  "lambda-place.free": { behaviour: "Where no lambda is named none is looked for", section: "test/bench/README.md" },
  "userinfo.claims": {
    behaviour: "GET and POST /oauth2/userinfo tell who the user of a token is now, in standard claims",
    section: "docs/reference/tokens.md#access-tokens, OIDC Core 5.3",
  },
  "userinfo.credential": {
    behaviour: "userinfo wants a user's token in a header, else 401 with the challenge of RFC 6750",
    section: "OIDC Core 5.3, RFC 6750 3",
  },
  // What a run leaves behind, and what it may reach
  "lambda.strict": { behaviour: "A body is strict code: what is none is [invalid]lambda.body", section: faults },
  "lambda.not-async": {
    behaviour: "A body whose function is async is [invalid]lambda.body",
    section: "docs/reference/lambdas.md#runtime, Language",
  },
  "lambda.noted": {
    behaviour: "What a lambda writes and why it fails is in the event log, an entry for each level and run at most",
    section: "docs/reference/lambdas.md#runtime, console",
  },
  "lambda.noted-debug": {
    behaviour: "With debug, lines for debugging are noted, and what a reconcile lambda was given, without secrets",
    section: "docs/reference/lambdas.md#a-lambda-that-throws",
  },
  "lambda.breaker": {
    behaviour: "A lambda that was killed three times in a minute is refused for a growing while",
    section: "docs/lambdas-running.md",
  },
  "lambda.fetch": {
    behaviour: "fetch calls over HTTP and answers status, headers and body, where host and plan let it",
    section: "docs/reference/lambdas.md#runtime",
  },
  "lambda.fetch-limits": {
    behaviour: "fetch refuses what is no plain call, and is bounded in time and size",
    section: "docs/reference/lambdas.md#runtime",
  },
  "lambda.fetch-guard": {
    behaviour: "fetch reaches no address that calls must not go to, and tells nothing of the host's network",
    section: "docs/reference/threats.md, 1",
  },
  "lambda.recursion": {
    behaviour: "A lambda that calls back the API that invoked it is refused",
    section: "docs/reference/lambdas.md#runtime",
  },
  "lambda.secrets": {
    behaviour: "secrets.get answers what the host's resolver finds where the tenant has no such secret, once for each run",
    section: "docs/lambdas.md",
  },
  "lambda.secrets-redacted": {
    behaviour: "A secret that was handed out is in no line, message, log or error, in whatever form",
    section: "docs/lambdas.md",
  },
  "lambda.tenant-values": {
    behaviour: "A lambda reads the constants and secrets of the tenant that it runs for, and of no other",
    section: "docs/lambdas-running.md#values-of-a-tenant",
  },
  "lambda.host-functions": {
    behaviour: "A lambda calls the functions that the host registers",
    section: "docs/lambdas-running.md",
  },
  "lambda.api": {
    behaviour: "A lambda with permissions calls the API for the tenant of its run",
    section: "docs/lambdas-api.md",
  },
  "lambda.api-bounds": {
    behaviour: "A lambda calls no more of the API than its permissions, its tenant and its budget allow",
    section: "docs/lambdas-api.md#limits",
  },
  "lambda.api-permissions": {
    behaviour: "The caller who saves a lambda holds all permissions that it has afterwards",
    section: "docs/lambdas-api.md#permissions",
  },
  "lambda.api-transactions": {
    behaviour: "What a lambda patches is neither lost to the operation that runs it nor waits for a transaction of the host",
    section: "docs/lambdas-api.md#transactions",
  },
  "lambda.chain": {
    behaviour: "The lambdas of a chain run in order, each on what the one before it changed",
    section: "docs/lambdas-modules.md#chains",
  },
  "lambda.modules": {
    behaviour: "A lambda requires modules, in the newest or in a named version",
    section: "docs/lambdas-modules.md#modules",
  },
  "lambda.history": {
    behaviour: "Earlier versions of a lambda can be read and restored",
    section: "docs/lambdas-modules.md#versions",
  },
  "lambda.rollout": {
    behaviour: "A share of the runs has the newest version, and the others the one that the rollout names",
    section: "docs/lambdas-modules.md#staged-rollout",
  },
  "lambda.metrics": {
    behaviour: "Runs, outcomes, durations, guests and refused lambdas are in the metrics",
    section: "docs/reference/lambdas.md#test-calls",
  },
};
