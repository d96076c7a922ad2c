import type { RulesBySection } from "./rules.js";

/** The rules that hold for every family, and those of the first families. */
export const ofEveryFamily: RulesBySection = {
  "docs/reference/wire.md: Instants": "record.instants",
  "docs/reference/wire.md": `
    record.last-update record.id-in-query record.null-is-absent output.sorted errors.empty-body errors.trailing-slash
  `,
  "docs/reference/wire.md: Caller-supplied id on POST": "record.id-supplied record.id-taken record.id-in-body",
  "docs/reference/groups.md": `
    record.id-generated tenant-scope.search-overruled group.create group.fields group.name-required group.data group.roles
    group.list group.search group.delete member.add member.id member.replace member.many member.replace-same member.many-events
    member.delete-by-id member.delete-by-pair member.delete-by-group member.delete-by-ids member.delete-by-users role.fields
    user.search-by-group registration.default-roles
  `,
  "docs/reference/wire.md: Ids": "record.id-syntax record.id-malformed",
  "docs/reference/wire.md: Missing path id": "record.id-missing errors.405 member.delete-nothing",
  "docs/reference/errors.md#statuses": `
    record.not-found record.delete errors.nothing-half-done errors.unknown-path service.same-errors
  `,
  "docs/reference/wire.md: Unknown properties": "record.unknown-properties",
  "docs/reference/patch.md: Validation": "record.immutable patch.validated patch.defaults",
  "docs/reference/wire.md#resources": "record.put-replaces record.put-valid search.page search.get-and-post search.unknown",
  "docs/reference/wire.md: Name length": "record.name-length",
  "docs/reference/wire.md: Names": "record.name-folding",
  "docs/reference/wire.md: Output": "output.nulls output.empties output.media-type",
  "docs/reference/wire.md: HEAD, OPTIONS": "output.head errors.options",
  "docs/reference/wire.md: Errors": "errors.shape errors.all-at-once errors.paths",
  "docs/reference/wire.md: Bad JSON": "errors.wrong-type errors.bad-json errors.media-type errors.depth errors.too-large",
  "docs/reference/errors.md#request-errors": `
    errors.not-an-object errors.media-type-missing errors.media-type-unparsable search.bad-criteria
  `,
  "docs/reference/wire.md: Text": `
    errors.charset errors.content-encoding errors.utf8 errors.unsafe-text errors.duplicate-keys
  `,
  "docs/reference/patch.md: Hostile documents": "errors.proto patch.forbidden-keys patch.too-many patch.too-large",
  "docs/reference/wire.md: 500": "errors.never-500 errors.500",
  "docs/reference/wire.md: 503": "errors.503",
  "docs/reference/threats.md, 32": "errors.method-override",
  "docs/reference/patch.md: Flavours": "patch.media-types patch.wrapper",
  "docs/reference/patch.md#merging-with-applicationjson":
    "patch.absent patch.scalar patch.object patch.array patch.null patch.empty",
  "docs/reference/patch.md: application/json": "patch.sets",
  "docs/reference/patch.md#media-types": "patch.merge patch.json",
  "docs/reference/patch.md: JSON Patch failure": "patch.test-failed patch.invalid",
  "docs/reference/patch.md: Concurrency": "patch.concurrent",
  "docs/reference/patch.md: Conditional requests": "etag.strong etag.if-match etag.if-match-fresh etag.if-none-match",
  "docs/reference/patch.md: Dry run": "dry-run.answers dry-run.stores-nothing",
  "docs/reference/search.md: Filters": `
    search.contains search.wildcards search.literal-star search.literals search.trimmed search.case
  `,
  "docs/reference/search.md": "search.default-order",
  "docs/reference/search.md: orderBy": "search.order search.order-unknown search.order-names search.order-ties",
  "docs/reference/search.md: Paging": "search.page-limits search.total search.next-results",
  "docs/reference/search.md: Consistency": "search.fresh",
  "docs/reference/authentication.md#tenant-header": `
    tenant-scope.required tenant-scope.header tenant-scope.key tenant-scope.foreign tenant-scope.inferred tenant-scope.lists
  `,
  "docs/reference/tenants.md#tenants": `
    tenant-scope.only-one tenant.fields tenant.name tenant.copy tenant.delete tenant.delete-async tenant.pending
    tenant.scoped-key tenant.search
  `,
  "docs/reference/groups.md#groups": `
    tenant-scope.body group.name-unique-per-tenant group.roles-mixed group.put-clears-roles member.fields
  `,
  "docs/behaviour.md#credentials: Tenant-scoped key and a different tenant header": "tenant-scope.mismatch",
  "docs/behaviour.md#credentials: Malformed tenant header": "tenant-scope.malformed tenant-scope.unknown",
  "docs/behaviour.md#credentials: Tenant-scoped key on a global-only endpoint": "tenant-scope.global-key",
  "docs/behaviour.md#credentials: Tenant header on a global-only endpoint": "tenant-scope.global-header",
  "docs/behaviour.md#credentials: Default tenant": "tenant.default",
  "docs/reference/tenants.md#secrets-and-constants-for-lambdas": "tenant.lambda-values",
  "docs/behaviour.md#credentials: Keys at rest": "key.value-generated key.at-rest",
  "docs/reference/api-keys.md#fields": `
    key.value-given key.value-unique key.value-immutable key.retrievable key.not-retrievable key.tenant key.metadata
    key.own-endpoint key.manager-reach key.manager-scoped key.copy key.expiration key.by-id-only
  `,
  "docs/reference/api-keys.md#permissions": "key.permissions key.permissions-empty key.permissions-known key.manager-required",
  "docs/behaviour.md#credentials: keyManager through the API": "key.manager-through-api",
  "docs/behaviour.md#credentials: Granting": "key.granting key.manager-limits",
  "docs/behaviour.md#credentials: New, changed and revoked keys": "key.effective-at-once key.other-process",
  "docs/behaviour.md#credentials: Last used": "key.last-used",
  "docs/reference/authentication.md#schemes": "auth.api-key auth.required auth.basic",
  "docs/reference/threats.md, 28": "auth.basic-canonical",
  "docs/behaviour.md#credentials: Several credentials": "auth.two-headers",
  "docs/reference/api-keys.md#global-endpoints": "auth.legacy-header",
  "docs/reference/errors.md#codes-by-family": `
    group.missing member.required user.login-id registration.application registration.user registration.unique
    registration.roles
  `,
  "docs/reference/patch.md#document": "group.patch-roles",
  "docs/reference/events.md#event-types": "group.events member.events user.events registration.events",
  "docs/reference/groups.md#members": `
    member.add-again member.unknown-group member.unknown-user member.other-tenant member.replace-difference member.replace-empty
    member.search
  `,
  "docs/reference/threats.md, 35": "member.all-or-nothing",
  "docs/reference/groups.md#role-inheritance": `
    member.user-gone member.of-user roles.effective roles.registered-only roles.not-copied roles.removed
  `,
  "docs/reference/tenants.md#applications": `
    application.fields application.copy application.name application.roles application.deactivate application.hard-delete application.search
    role.name role.application role.delete-by-name
  `,
  "docs/reference/users.md": `
    user.fields user.unique user.address user.apart user.normalised user.password user.password-scheme user.password-hash user.memberships user.two-factor user.secret user.relations user.find user.deactivate
    user.hard-delete user.search
    registration.fields registration.create
  `,
  "docs/reference/errors.md#kinds-of-codes": "user.formats",
  "docs/architecture.md": `
    service.same-values service.options service.two service.names service.as service.anonymous service.transaction service.transaction-nested
    service.transaction-outside service.transaction-parallel service.directory service.frozen service.bootstrap-key
    kickstart.all-or-nothing
  `,
  "docs/transactions.md#follow-every-write": "on-write.changes on-write.undone on-write.own-writes on-write.dry-run",
  "docs/transactions.md#refuse-a-write": "on-write.errors",
  "docs/transactions.md#runs-more-than-once": "on-write.repeated",
  "docs/transactions.md#what-is-followed": "on-write.places",
  "docs/transactions.md#ask-webhooks-first": `
    on-write.asked transaction.ask transaction.ask-refused transaction.ask-again transaction.ask-retried
  `,
  "docs/reference/events.md#outbox": "service.outbox",
  "docs/internals/storage.md": "storage.run-again storage.reads-in-transaction",
  "docs/behaviour.md#credentials: Bootstrap key and kickstart": "kickstart.once",
  "docs/reference/system.md#kickstart": `
    kickstart.keys kickstart.first-key kickstart.requests kickstart.failing kickstart.content-type kickstart.tenant
    kickstart.variables kickstart.uuid kickstart.environment kickstart.escape kickstart.undefined kickstart.text-include
    kickstart.json-include kickstart.default-tenant kickstart.built-in kickstart.event
  `,
};
