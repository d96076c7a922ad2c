import { accessListRequirements } from "./requirements/access-lists.js";
import { accountRequirements } from "./requirements/accounts.js";
import { auditLogRequirements } from "./requirements/audit-logs.js";
import { bulkUserRequirements } from "./requirements/bulk-users.js";
import { clientRequirements } from "./requirements/client.js";
import { clientCredentialsRequirements } from "./requirements/client-credentials.js";
import { configRequirements } from "./requirements/config.js";
import { configurationRequirements } from "./requirements/configuration.js";
import { connectorRequirements } from "./requirements/connectors.js";
import { consoleRequirements } from "./requirements/console.js";
import { defaultsRequirements } from "./requirements/defaults.js";
import { documentationRequirements } from "./requirements/documentation.js";
import { dpopRequirements } from "./requirements/dpop.js";
import { emailTemplateRequirements } from "./requirements/email-templates.js";
import { entityRequirements } from "./requirements/entities.js";
import { eventLogRequirements } from "./requirements/event-logs.js";
import { eventsRequirements } from "./requirements/events.js";
import { formAndConsentRequirements } from "./requirements/forms-and-consents.js";
import { guardRequirements } from "./requirements/guards.js";
import { linkRequirements } from "./requirements/identity-provider-links.js";
import { identityProviderRequirements } from "./requirements/identity-providers.js";
import { importJobRequirements } from "./requirements/import-jobs.js";
import { integrationRequirements } from "./requirements/integrations.js";
import { keyRequirements } from "./requirements/keys.js";
import { keysAndSystemRequirements } from "./requirements/keys-and-system.js";
import { lambdaRunnerRequirements } from "./requirements/lambda-runner.js";
import { lambdasRequirements } from "./requirements/lambdas.js";
import { loginRequirements } from "./requirements/login.js";
import { messengerRequirements } from "./requirements/messengers.js";
import { observabilityRequirements } from "./requirements/observability.js";
import { openApiRequirements } from "./requirements/openapi.js";
import { openIdRequirements } from "./requirements/openid.js";
import { pageRequirements } from "./requirements/pages.js";
import { passkeyRequirements } from "./requirements/passkeys.js";
import { removalRequirements } from "./requirements/removals.js";
import type { Requirement } from "./requirements/requirement.js";
import { samlRequirements } from "./requirements/saml.js";
import { scimRequirements } from "./requirements/scim.js";
import { secretRequirements } from "./requirements/secrets.js";
import { sizeRequirements } from "./requirements/sizes.js";
import { smsRequirements } from "./requirements/sms.js";
import { storageRequirements } from "./requirements/storages.js";
import { testingRequirements } from "./requirements/testing.js";
import { themeRequirements } from "./requirements/themes.js";
import { twoFactorRequirements } from "./requirements/two-factor.js";
import { userActionRequirements } from "./requirements/user-actions.js";
import { webhooksRequirements } from "./requirements/webhooks.js";
import { wireRequirements } from "./requirements/wire.js";

const wire = (topic: string): string => `docs/reference/wire.md: ${topic}`;
const patching = (topic: string): string => `docs/reference/patch.md: ${topic}`;
const searching = (topic: string): string => `docs/reference/search.md: ${topic}`;
const keys = (topic: string): string => `docs/behaviour.md#credentials: ${topic}`;

/** The rules that hold for every family, and those of the first families. */
const ofAllFamilies: Readonly<Record<string, Requirement>> = {
  // Records of every family
  "record.instants": {
    behaviour: "Instants are epoch milliseconds; a new record's two instants are equal",
    section: wire("Instants"),
  },
  "record.last-update": {
    behaviour: "A change moves lastUpdateInstant and keeps insertInstant",
    section: "docs/reference/wire.md",
  },
  "record.id-supplied": { behaviour: "POST uses the id that its path names", section: wire("Caller-supplied id on POST") },
  "record.id-generated": { behaviour: "POST without an id makes a fresh UUID", section: "docs/reference/groups.md" },
  "record.id-taken": {
    behaviour: "POST with a taken id is 400 [duplicate]<resource>Id",
    section: wire("Caller-supplied id on POST"),
  },
  "record.id-in-body": { behaviour: "An id inside a body is ignored", section: wire("Caller-supplied id on POST") },
  "record.id-syntax": { behaviour: "Any 8-4-4-4-12 hexadecimal UUID is an id, lower-case on output", section: wire("Ids") },
  "record.id-malformed": {
    behaviour: "A malformed id in path or query is 400 [couldNotConvert]<parameter>",
    section: wire("Ids"),
  },
  "record.id-missing": {
    behaviour: "PUT, PATCH and DELETE without an id are 400 [missing]<resource>Id",
    section: wire("Missing path id"),
  },
  "record.id-in-query": { behaviour: "A path parameter may stand in the query instead", section: "docs/reference/wire.md" },
  "record.not-found": {
    behaviour: "An unknown id is 404 with an empty body on every call",
    section: "docs/reference/errors.md#statuses",
  },
  "record.unknown-properties": {
    behaviour: "Unknown properties are ignored and never stored",
    section: wire("Unknown properties"),
  },
  "record.immutable": {
    behaviour: "PUT and PATCH silently keep id, insertInstant and tenantId",
    section: patching("Validation"),
  },
  "record.put-replaces": {
    behaviour: "PUT replaces the whole object: what it leaves out is gone",
    section: "docs/reference/wire.md#resources",
  },
  "record.put-valid": { behaviour: "PUT is checked like POST", section: "docs/reference/wire.md#resources" },
  "record.null-is-absent": { behaviour: "null in POST and PUT means absent", section: "docs/reference/wire.md" },
  "record.delete": {
    behaviour: "DELETE answers 200 without a body; a second one is 404",
    section: "docs/reference/errors.md#statuses",
  },
  "record.name-length": { behaviour: "An indexed name has at most 191 characters, else [tooLong]", section: wire("Name length") },
  "record.name-folding": { behaviour: "Names are compared without case, by Unicode simple folding", section: wire("Names") },

  // Output
  "output.nulls": { behaviour: "Members without a value are left out", section: wire("Output") },
  "output.empties": { behaviour: "Empty maps, empty arrays and false are shown", section: wire("Output") },
  "output.sorted": { behaviour: "Members stand in alphabetical order", section: "docs/reference/wire.md" },
  "output.media-type": {
    behaviour: "Answers are application/json; charset=UTF-8 with Cache-Control no-cache",
    section: wire("Output"),
  },
  "output.head": { behaviour: "HEAD answers the status and headers of GET", section: wire("HEAD, OPTIONS") },

  // Errors and statuses
  "errors.shape": { behaviour: "An Errors object has fieldErrors and generalErrors, always both", section: wire("Errors") },
  "errors.all-at-once": { behaviour: "All field errors of a body are reported at once", section: wire("Errors") },
  "errors.paths": { behaviour: "Paths begin at the wrapper; elements stand in brackets", section: wire("Errors") },
  "errors.wrong-type": { behaviour: "A wrong JSON type is [invalidJSON] on its path", section: wire("Bad JSON") },
  "errors.bad-json": {
    behaviour: "Bad JSON is 400 [invalidJSON] with line and column, and nothing of the text",
    section: wire("Bad JSON"),
  },
  "errors.not-an-object": {
    behaviour: "A body that is no object is 400 [invalidJSON]",
    section: "docs/reference/errors.md#request-errors",
  },
  "errors.empty-body": {
    behaviour: "POST and PUT without a body are 400 [missing] of what is required",
    section: "docs/reference/wire.md",
  },
  "errors.media-type": { behaviour: "A body of another media type is 400 [UnsupportedContentType]", section: wire("Bad JSON") },
  "errors.media-type-missing": {
    behaviour: "A body without Content-Type is 400 [MissingContentType]",
    section: "docs/reference/errors.md#request-errors",
  },
  "errors.media-type-unparsable": {
    behaviour: "An unparsable Content-Type is 400 [InvalidContentType]",
    section: "docs/reference/errors.md#request-errors",
  },
  "errors.charset": { behaviour: "A charset other than UTF-8 is refused; UTF-8 may be named", section: wire("Text") },
  "errors.content-encoding": { behaviour: "A Content-Encoding is refused with 415", section: wire("Text") },
  "errors.utf8": { behaviour: "Bytes that are not UTF-8 are refused with 400", section: wire("Text") },
  "errors.unsafe-text": { behaviour: "U+0000 and lone surrogates are 400 [invalid]<path>", section: wire("Text") },
  "errors.duplicate-keys": { behaviour: "Of duplicate JSON keys the last counts", section: wire("Text") },
  "errors.depth": { behaviour: "Nesting over 64 levels is 400 [invalidJSON]; 64 are taken", section: wire("Bad JSON") },
  "errors.too-large": { behaviour: "A body over the limit is 413 with an Errors body", section: wire("Bad JSON") },
  "errors.proto": { behaviour: "A key __proto__ in a body is 400 [invalid]<path>", section: patching("Hostile documents") },
  "errors.never-500": { behaviour: "Nothing that a caller can send is a 500", section: wire("500") },
  "errors.nothing-half-done": {
    behaviour: "After a refusal the record is what it was",
    section: "docs/reference/errors.md#statuses",
  },
  "errors.500": { behaviour: "An unexpected failure is an empty 500; the stack goes to the logger", section: wire("500") },
  "errors.503": { behaviour: "A storage that is away is 503 with [storageUnavailable]", section: wire("503") },
  "errors.405": { behaviour: "A known path with another method is an empty 405", section: wire("Missing path id") },
  "errors.unknown-path": {
    behaviour: "A path that is not the service's is left to the host",
    section: "docs/reference/errors.md#statuses",
  },
  "errors.trailing-slash": { behaviour: "A trailing slash changes nothing", section: "docs/reference/wire.md" },
  "errors.options": { behaviour: "OPTIONS is not answered as long as no CORS is configured", section: wire("HEAD, OPTIONS") },
  "errors.method-override": { behaviour: "A method override header changes nothing", section: "docs/reference/threats.md, 32" },

  // PATCH
  "patch.media-types": {
    behaviour: "Every PATCH takes the three media types, with a charset too",
    section: patching("Flavours"),
  },
  "patch.wrapper": { behaviour: "The patched document is the request wrapper", section: patching("Flavours") },
  "patch.absent": { behaviour: "append: what is absent stays", section: "docs/reference/patch.md#merging-with-applicationjson" },
  "patch.scalar": { behaviour: "append: a scalar replaces", section: "docs/reference/patch.md#merging-with-applicationjson" },
  "patch.object": {
    behaviour: "append: objects merge key by key",
    section: "docs/reference/patch.md#merging-with-applicationjson",
  },
  "patch.array": {
    behaviour: "append: arrays are appended, duplicates kept",
    section: "docs/reference/patch.md#merging-with-applicationjson",
  },
  "patch.sets": { behaviour: "append: a set keeps one of each", section: patching("application/json") },
  "patch.null": {
    behaviour: "append: null removes, in maps too",
    section: "docs/reference/patch.md#merging-with-applicationjson",
  },
  "patch.empty": {
    behaviour: "append: {} and [] change nothing",
    section: "docs/reference/patch.md#merging-with-applicationjson",
  },
  "patch.merge": {
    behaviour: "Merge patch: arrays are replaced, null removes (RFC 7396)",
    section: "docs/reference/patch.md#media-types",
  },
  "patch.json": {
    behaviour: "JSON Patch: add, remove, replace, move, copy and test (RFC 6902)",
    section: "docs/reference/patch.md#media-types",
  },
  "patch.test-failed": {
    behaviour: "A failed test is 400 [JSONPatchTestFailed] and tells nothing of the record",
    section: patching("JSON Patch failure"),
  },
  "patch.invalid": { behaviour: "A patch that does not fit is 400 [invalidPatch]", section: patching("JSON Patch failure") },
  "patch.forbidden-keys": {
    behaviour: "__proto__, constructor, prototype in a pointer are 400 [invalid]<path>",
    section: patching("Hostile documents"),
  },
  "patch.too-many": { behaviour: "More than 500 operations are 400", section: patching("Hostile documents") },
  "patch.too-large": { behaviour: "A result over the body limit is 400", section: patching("Hostile documents") },
  "patch.validated": { behaviour: "The merged document is checked as a PUT body", section: patching("Validation") },
  "patch.defaults": { behaviour: "Defaults are never applied over stored values", section: patching("Validation") },
  "patch.concurrent": { behaviour: "Patches of different keys made at once all survive", section: patching("Concurrency") },

  // Conditional requests and dry runs
  "etag.strong": {
    behaviour: "Every answer with one record carries a strong ETag, the same by POST, PUT, PATCH and GET",
    section: patching("Conditional requests"),
  },
  "etag.if-match": {
    behaviour: "A stale If-Match on PUT, PATCH and DELETE is 412 [preconditionFailed] and changes nothing",
    section: patching("Conditional requests"),
  },
  "etag.if-match-fresh": {
    behaviour: "A fresh If-Match, one in a list, or * lets the call through; a weak one never does",
    section: patching("Conditional requests"),
  },
  "etag.if-none-match": { behaviour: "GET with a known tag is an empty 304", section: patching("Conditional requests") },
  "dry-run.answers": { behaviour: "dryRun answers what would be stored, refusals included", section: patching("Dry run") },
  "dry-run.stores-nothing": { behaviour: "dryRun stores no record and no event", section: patching("Dry run") },

  // Search
  "search.contains": { behaviour: "A filter without * means contains", section: searching("Filters") },
  "search.wildcards": { behaviour: "With * a filter is anchored at both ends", section: searching("Filters") },
  "search.literal-star": { behaviour: "** is a literal *", section: searching("Filters") },
  "search.literals": { behaviour: "% _ and \\ are literal", section: searching("Filters") },
  "search.trimmed": { behaviour: "Filters are trimmed; an empty one filters nothing", section: searching("Filters") },
  "search.case": { behaviour: "Filters ignore case, beyond ASCII too", section: searching("Filters") },
  "search.default-order": { behaviour: "Without orderBy the family's default order counts", section: "docs/reference/search.md" },
  "search.order": {
    behaviour: "orderBy takes fields with ASC or DESC in any case, separated by commas",
    section: searching("orderBy"),
  },
  "search.order-unknown": { behaviour: "An unknown or malformed orderBy is 400 [invalid]orderBy", section: searching("orderBy") },
  "search.order-names": { behaviour: "Names order by code point of their folded form", section: searching("orderBy") },
  "search.order-ties": { behaviour: "Ties are broken by id, so that pages never overlap", section: searching("orderBy") },
  "search.page": {
    behaviour: "numberOfResults (default 25) and startRow (default 0) cut a page",
    section: "docs/reference/wire.md#resources",
  },
  "search.page-limits": { behaviour: "numberOfResults is 0 to 10,000, startRow from 0, else 400", section: searching("Paging") },
  "search.total": {
    behaviour: "total counts all matches, whatever the page; 0 results ask for it alone",
    section: searching("Paging"),
  },
  "search.next-results": { behaviour: "nextResults walks all rows once; a foreign token is 400", section: searching("Paging") },
  "search.get-and-post": {
    behaviour: "GET and POST with the same criteria answer the same; POST without search means defaults",
    section: "docs/reference/wire.md#resources",
  },
  "search.fresh": { behaviour: "A search sees every write acknowledged before it", section: searching("Consistency") },
  "search.bad-criteria": {
    behaviour: "A criterion of the wrong type is 400 on its name",
    section: "docs/reference/errors.md#request-errors",
  },

  // Tenant scoping
  "tenant-scope.required": {
    behaviour: "A new record without a tenant is 400 [TenantIdRequired] once there are several",
    section: "docs/reference/authentication.md#tenant-header",
  },
  "tenant-scope.only-one": { behaviour: "With one tenant, that one is meant", section: "docs/reference/tenants.md#tenants" },
  "tenant-scope.header": {
    behaviour: "The tenant header says which tenant a new record belongs to",
    section: "docs/reference/authentication.md#tenant-header",
  },
  "tenant-scope.key": {
    behaviour: "A tenant-scoped key makes records in its tenant, with or without the equal header",
    section: "docs/reference/authentication.md#tenant-header",
  },
  "tenant-scope.body": {
    behaviour: "A tenant in the body counts where the call is bound to none, and is overruled where it is",
    section: "docs/reference/groups.md#groups",
  },
  "tenant-scope.mismatch": {
    behaviour: "A tenant-scoped key with another tenant's header is 401 on every call",
    section: keys("Tenant-scoped key and a different tenant header"),
  },
  "tenant-scope.foreign": {
    behaviour: "Another tenant's record is not found, by every call of every family",
    section: "docs/reference/authentication.md#tenant-header",
  },
  "tenant-scope.inferred": {
    behaviour: "Without a header, a record is found by its id in any tenant",
    section: "docs/reference/authentication.md#tenant-header",
  },
  "tenant-scope.lists": {
    behaviour: "Lists and searches of a bound caller hold the tenant's records only",
    section: "docs/reference/authentication.md#tenant-header",
  },
  "tenant-scope.search-overruled": {
    behaviour: "tenantId in criteria is overruled by header and key",
    section: "docs/reference/groups.md",
  },
  "tenant-scope.malformed": {
    behaviour: "A malformed tenant header is 400 [couldNotConvert] on its name",
    section: keys("Malformed tenant header"),
  },
  "tenant-scope.unknown": {
    behaviour: "An unknown tenant is 400 [invalid]tenantId on writes, empty in searches, 404 by id",
    section: keys("Malformed tenant header"),
  },
  "tenant-scope.global-key": {
    behaviour: "A tenant-scoped key on a global-only endpoint is 401",
    section: keys("Tenant-scoped key on a global-only endpoint"),
  },
  "tenant-scope.global-header": {
    behaviour: "A tenant header on a global-only endpoint is 401 from 1.65.0 and ignored before",
    section: keys("Tenant header on a global-only endpoint"),
  },

  // Tenants
  "tenant.fields": {
    behaviour: "A tenant has the fields of docs/reference/tenants.md#tenants with their defaults",
    section: "docs/reference/tenants.md#tenants",
  },
  "tenant.name": { behaviour: "A tenant's name is required and unique", section: "docs/reference/tenants.md#tenants" },
  "tenant.default": {
    behaviour: "The first start makes a tenant Default, which cannot be deleted",
    section: keys("Default tenant"),
  },
  "tenant.lambda-values": {
    behaviour: "A tenant shows its constants for lambdas, and masks for its secrets, which callers write and never read",
    section: "docs/reference/tenants.md#secrets-and-constants-for-lambdas",
  },
  "tenant.copy": { behaviour: "sourceTenantId fills in what the body leaves out", section: "docs/reference/tenants.md#tenants" },
  "tenant.delete": {
    behaviour: "A tenant goes with everything in it, its keys included",
    section: "docs/reference/tenants.md#tenants",
  },
  "tenant.delete-async": {
    behaviour: "async=true answers 202, marks PendingDelete and removes later, also after a restart",
    section: "docs/reference/tenants.md#tenants",
  },
  "tenant.pending": {
    behaviour: "A write in a tenant that is going is 400 [pendingDelete]tenantId",
    section: "docs/reference/tenants.md#tenants",
  },
  "tenant.scoped-key": {
    behaviour: "A tenant-scoped key sees its own tenant only and makes or deletes none",
    section: "docs/reference/tenants.md#tenants",
  },
  "tenant.search": { behaviour: "Tenants are searched by name with a global key", section: "docs/reference/tenants.md#tenants" },

  // API keys
  "key.fields": {
    behaviour: "A key has the fields of docs/reference/api-keys.md#fields with their defaults",
    section: "docs/reference/api-keys.md#fields",
  },
  "key.value-generated": {
    behaviour: "A value that is not given is lk_, 256 random bits and a check sum",
    section: keys("Keys at rest"),
  },
  "key.value-given": {
    behaviour: "Any other value stays legal, if a header can carry it",
    section: "docs/reference/api-keys.md#fields",
  },
  "key.value-unique": { behaviour: "Values and names are unique", section: "docs/reference/api-keys.md#fields" },
  "key.value-immutable": {
    behaviour: "The value and retrievable cannot be changed",
    section: "docs/reference/api-keys.md#fields",
  },
  "key.retrievable": {
    behaviour: "A retrievable key shows its value on every read",
    section: "docs/reference/api-keys.md#fields",
  },
  "key.not-retrievable": {
    behaviour: "A key that is not retrievable needs a name and shows its value once",
    section: "docs/reference/api-keys.md#fields",
  },
  "key.at-rest": {
    behaviour: "No key value is in the storage; the sealed one opens with a rotated secret",
    section: keys("Keys at rest"),
  },
  "key.tenant": { behaviour: "The tenant of a key must exist and never changes", section: "docs/reference/api-keys.md#fields" },
  "key.metadata": { behaviour: "metaData.attributes is a map of texts", section: "docs/reference/api-keys.md#fields" },
  "key.access-list": {
    behaviour: "An access list that does not exist is 400 [invalid]apiKey.ipAccessControlListId",
    section: "docs/reference/errors.md#codes-by-family",
  },
  "key.permissions": {
    behaviour: "A key calls only the endpoints and methods it was granted, else 401",
    section: "docs/reference/api-keys.md#permissions",
  },
  "key.permissions-empty": {
    behaviour: "No permissions mean every endpoint; an empty method list means none",
    section: "docs/reference/api-keys.md#permissions",
  },
  "key.own-endpoint": {
    behaviour: "/api/api-key is removed from permissions, which never widens them",
    section: "docs/reference/api-keys.md#fields",
  },
  "key.manager-required": {
    behaviour: "The key API needs keyManager, else 401",
    section: "docs/reference/api-keys.md#permissions",
  },
  "key.manager-through-api": {
    behaviour: "keyManager cannot be set through the API: 400 [invalid]apiKey.keyManager",
    section: keys("keyManager through the API"),
  },
  "key.granting": {
    behaviour: "A manager cannot grant what it does not hold: 400 [invalid]apiKey.permissions",
    section: keys("Granting"),
  },
  "key.manager-limits": {
    behaviour: "No call of a key manager makes a key that does more than its own: permissions, tenant, expiry, access list",
    section: keys("Granting"),
  },
  "key.manager-reach": {
    behaviour: "A manager cannot see, change or remove a key that may do more than itself",
    section: "docs/reference/api-keys.md#fields",
  },
  "key.manager-scoped": {
    behaviour: "A tenant-scoped manager makes keys of its tenant only",
    section: "docs/reference/api-keys.md#fields",
  },
  "key.copy": {
    behaviour: "sourceKeyId copies what the body leaves out, but no value, name or management",
    section: "docs/reference/api-keys.md#fields",
  },
  "key.expiration": {
    behaviour: "From its expiration on a key is 401; PUT without one clears it",
    section: "docs/reference/api-keys.md#fields",
  },
  "key.effective-at-once": {
    behaviour: "New, changed and revoked keys count at once",
    section: keys("New, changed and revoked keys"),
  },
  "key.other-process": {
    behaviour: "A changed or revoked key counts within a second in other processes, a new one at once",
    section: keys("New, changed and revoked keys"),
  },
  "key.last-used": { behaviour: "The last use of a key is kept, with instant and address", section: keys("Last used") },
  "key.by-id-only": { behaviour: "There is no list of keys", section: "docs/reference/api-keys.md#fields" },

  // Authentication
  "auth.api-key": {
    behaviour: "The bare key in Authorization is a credential",
    section: "docs/reference/authentication.md#schemes",
  },
  "auth.required": {
    behaviour: "Without a valid credential every route is an empty 401",
    section: "docs/reference/authentication.md#schemes",
  },
  "auth.basic": {
    behaviour: "Basic apikey:<key> is a credential; the user name is exactly that",
    section: "docs/reference/authentication.md#schemes",
  },
  "auth.basic-canonical": {
    behaviour: "Basic takes one spelling: canonical Base64 behind one space",
    section: "docs/reference/threats.md, 28",
  },
  "auth.two-headers": { behaviour: "Two Authorization headers are 401", section: keys("Several credentials") },
  "auth.legacy-header": {
    behaviour: "A header named Authentication is understood too",
    section: "docs/reference/api-keys.md#global-endpoints",
  },

  // Groups
  "group.create": { behaviour: "A group is made from name, data and roleIds", section: "docs/reference/groups.md" },
  "group.fields": {
    behaviour: "A group shows data, id, instants, name, roles and tenantId",
    section: "docs/reference/groups.md",
  },
  "group.name-required": { behaviour: "A group without a name is 400 [blank]group.name", section: "docs/reference/groups.md" },
  "group.missing": {
    behaviour: "A body without group is 400 [missing]group",
    section: "docs/reference/errors.md#codes-by-family",
  },
  "group.name-unique-per-tenant": {
    behaviour: "A name is unique in its tenant, without case: [duplicate]group.name",
    section: "docs/reference/groups.md#groups",
  },
  "group.data": { behaviour: "data keeps any JSON object", section: "docs/reference/groups.md" },
  "group.roles": { behaviour: "roles shows the group's roles by application", section: "docs/reference/groups.md" },
  "group.roles-mixed": {
    behaviour: "roleIds may mix applications of the group's tenant; others are 400 [invalid]roleIds",
    section: "docs/reference/groups.md#groups",
  },
  "group.put-clears-roles": { behaviour: "PUT without roleIds clears the roles", section: "docs/reference/groups.md#groups" },
  "group.patch-roles": {
    behaviour: "roleIds of the patched document are those of the group",
    section: "docs/reference/patch.md#document",
  },
  "group.list": { behaviour: "GET answers all groups in order of name", section: "docs/reference/groups.md" },
  "group.search": {
    behaviour: "Groups are searched by name and tenant, ordered by id, insertInstant, name or tenant",
    section: "docs/reference/groups.md",
  },
  "group.delete": { behaviour: "DELETE ends memberships and the roles they carried", section: "docs/reference/groups.md" },
  "group.events": {
    behaviour: "Each change of a group is an event with its .complete twin",
    section: "docs/reference/events.md#event-types",
  },

  // Group members
  "member.add": {
    behaviour: "POST adds members to several groups at once and answers them by group",
    section: "docs/reference/groups.md",
  },
  "member.fields": {
    behaviour: "A member has data, id, insertInstant and userId; groupId where it is not the key",
    section: "docs/reference/groups.md#groups",
  },
  "member.id": {
    behaviour: "The id of a membership is given or generated; a taken one is 400",
    section: "docs/reference/groups.md",
  },
  "member.add-again": {
    behaviour: "Adding a member again keeps the stored id, which is answered",
    section: "docs/reference/groups.md#members",
  },
  "member.unknown-group": { behaviour: "An unknown group is 400", section: "docs/reference/groups.md#members" },
  "member.unknown-user": { behaviour: "An unknown user is 400 on the user's path", section: "docs/reference/groups.md#members" },
  "member.other-tenant": {
    behaviour: "A user and a group of different tenants are 400",
    section: "docs/reference/groups.md#members",
  },
  "member.required": {
    behaviour: "members and userId are required, members not empty",
    section: "docs/reference/errors.md#codes-by-family",
  },
  "member.all-or-nothing": { behaviour: "One wrong member and nobody is added", section: "docs/reference/threats.md, 35" },
  "member.replace": {
    behaviour: "PUT replaces the members of the listed groups, others stay untouched",
    section: "docs/reference/groups.md",
  },
  "member.replace-difference": {
    behaviour: "PUT leaves what removing all members and adding the named ones would, with the ids of those who stay",
    section: "docs/reference/groups.md#members",
  },
  "member.many": {
    behaviour: "Very many members are written in one transaction while other requests are answered",
    section: "docs/reference/groups.md",
  },
  "member.replace-same": {
    behaviour: "PUT of the members that there are already, all since the same instant, writes nothing and tells nobody",
    section: "docs/reference/groups.md",
  },
  "member.many-events": {
    behaviour: "An event names at most 1,000 members; more are told by several events",
    section: "docs/reference/groups.md",
  },
  "member.replace-empty": { behaviour: "PUT with no members empties the group", section: "docs/reference/groups.md#members" },
  "member.delete-by-id": { behaviour: "DELETE by membership id; an unknown one is 404", section: "docs/reference/groups.md" },
  "member.delete-by-pair": { behaviour: "DELETE by group and user; an unknown pair is 404", section: "docs/reference/groups.md" },
  "member.delete-by-group": { behaviour: "DELETE by group removes all its members", section: "docs/reference/groups.md" },
  "member.delete-by-ids": { behaviour: "DELETE with memberIds skips unknown ones", section: "docs/reference/groups.md" },
  "member.delete-by-users": {
    behaviour: "DELETE with members by group skips unknown ones; both bodies count",
    section: "docs/reference/groups.md",
  },
  "member.delete-nothing": { behaviour: "DELETE that names nothing is 400", section: wire("Missing path id") },
  "member.search": {
    behaviour: "Members are searched by group, user and tenant in the order of docs/reference/groups.md#members",
    section: "docs/reference/groups.md#members",
  },
  "member.user-gone": { behaviour: "A user who goes leaves all groups", section: "docs/reference/groups.md#role-inheritance" },
  "member.of-user": {
    behaviour: "A user shows memberships and is found by group",
    section: "docs/reference/groups.md#role-inheritance",
  },
  "member.events": { behaviour: "Member events list changed members only", section: "docs/reference/events.md#event-types" },

  // Effective roles
  "roles.effective": {
    behaviour: "Effective roles are the registration's and those of the user's groups",
    section: "docs/reference/groups.md#role-inheritance",
  },
  "roles.registered-only": {
    behaviour: "Without a registration there are none",
    section: "docs/reference/groups.md#role-inheritance",
  },
  "roles.not-copied": {
    behaviour: "Group roles are not written into the registration",
    section: "docs/reference/groups.md#role-inheritance",
  },
  "roles.removed": {
    behaviour: "A role that goes is effective no more and leaves groups and registrations",
    section: "docs/reference/groups.md#role-inheritance",
  },

  // Applications and their roles
  "application.fields": {
    behaviour: "An application has the fields of docs/reference/tenants.md#applications with their defaults",
    section: "docs/reference/tenants.md#applications",
  },
  "application.name": {
    behaviour: "Names are required and unique per tenant",
    section: "docs/reference/tenants.md#applications",
  },
  "application.roles": {
    behaviour: "POST may carry roles; afterwards they have paths of their own",
    section: "docs/reference/tenants.md#applications",
  },
  "application.deactivate": {
    behaviour: "DELETE deactivates, PUT ?reactivate=true undoes it, lists tell them apart",
    section: "docs/reference/tenants.md#applications",
  },
  "application.hard-delete": {
    behaviour: "DELETE ?hardDelete=true removes it with roles, registrations and group roles",
    section: "docs/reference/tenants.md#applications",
  },
  "application.search": {
    behaviour: "Applications are searched by name, state and tenant",
    section: "docs/reference/tenants.md#applications",
  },
  "role.fields": { behaviour: "A role has name, description, isDefault and isSuperRole", section: "docs/reference/groups.md" },
  "role.name": { behaviour: "Names are required and unique per application", section: "docs/reference/tenants.md#applications" },
  "role.application": {
    behaviour: "A role is addressed below its application",
    section: "docs/reference/tenants.md#applications",
  },
  "role.delete-by-name": { behaviour: "DELETE takes ?name= as well", section: "docs/reference/tenants.md#applications" },

  // Users and registrations
  "user.fields": { behaviour: "A user has the fields of docs/reference/users.md", section: "docs/reference/users.md" },
  "user.login-id": { behaviour: "A user has an email or a username", section: "docs/reference/errors.md#codes-by-family" },
  "user.unique": { behaviour: "Emails and usernames are unique per tenant, without case", section: "docs/reference/users.md" },
  "user.normalised": {
    behaviour: "Emails are trimmed and lower-cased, other texts trimmed, blank ones dropped",
    section: "docs/reference/users.md",
  },
  "user.formats": { behaviour: "Emails, dates and lengths are checked", section: "docs/reference/errors.md#kinds-of-codes" },
  "user.password": { behaviour: "A password is hashed and never shown", section: "docs/reference/users.md" },
  "user.find": {
    behaviour: "GET by email, username or login id; ambiguous tenants are [TenantIdRequired]",
    section: "docs/reference/users.md",
  },
  "user.deactivate": { behaviour: "DELETE deactivates; PUT ?reactivate=true undoes it", section: "docs/reference/users.md" },
  "user.hard-delete": {
    behaviour: "DELETE ?hardDelete=true removes the user, memberships and registrations",
    section: "docs/reference/users.md",
  },
  "user.search": { behaviour: "Users are searched by ids, query string and query document", section: "docs/reference/users.md" },
  "user.search-by-group": { behaviour: "Users are found by memberships.groupId", section: "docs/reference/groups.md" },
  "user.events": { behaviour: "Changes of a user are events", section: "docs/reference/events.md#event-types" },
  "registration.fields": {
    behaviour: "A registration has the fields of docs/reference/users.md",
    section: "docs/reference/users.md",
  },
  "registration.create": { behaviour: "POST registers a user, who may be made along", section: "docs/reference/users.md" },
  "registration.application": {
    behaviour: "The application is required, and of the user's tenant",
    section: "docs/reference/errors.md#codes-by-family",
  },
  "registration.user": { behaviour: "The user is required and known", section: "docs/reference/errors.md#codes-by-family" },
  "registration.unique": {
    behaviour: "One registration for each user and application",
    section: "docs/reference/errors.md#codes-by-family",
  },
  "registration.roles": {
    behaviour: "Roles are known ones, spelled as the application spells them",
    section: "docs/reference/errors.md#codes-by-family",
  },
  "registration.default-roles": {
    behaviour: "Default roles are given at registration only, when none are named",
    section: "docs/reference/groups.md",
  },
  "registration.events": {
    behaviour: "Changes of a registration are events with the user",
    section: "docs/reference/events.md#event-types",
  },

  // Service in process
  "service.same-errors": {
    behaviour: "In process the same refusals are thrown as HTTP answers",
    section: "docs/reference/errors.md#statuses",
  },
  "service.same-values": { behaviour: "In process the same values are answered as over HTTP", section: "docs/architecture.md" },
  "service.options": { behaviour: "A wrong option is refused at the start", section: "docs/architecture.md" },
  "service.two": { behaviour: "Two services with different options live in one process", section: "docs/architecture.md" },
  "service.names": { behaviour: "The tenant header carries the host's word for the service", section: "docs/architecture.md" },
  "service.as": { behaviour: "as() calls with the rights of another principal", section: "docs/architecture.md" },
  "service.transaction": {
    behaviour: "In a transaction our rows and the host's are kept or lost together",
    section: "docs/architecture.md",
  },
  "service.transaction-nested": {
    behaviour: "A refused call in a transaction undoes only itself",
    section: "docs/architecture.md",
  },
  "service.transaction-outside": {
    behaviour: "A call that goes past the transaction's tx is refused and does not wait",
    section: "docs/architecture.md",
  },
  "service.transaction-parallel": {
    behaviour: "Calls started side by side in a transaction all count",
    section: "docs/architecture.md",
  },
  "on-write.changes": {
    behaviour: "onWrite is called once for each change that the audit log would record, with the record before and after",
    section: "docs/transactions.md#follow-every-write",
  },
  "on-write.undone": {
    behaviour: "An error of onWrite undoes the operation: record, events, audit entry and rows of the host",
    section: "docs/transactions.md#follow-every-write",
  },
  "on-write.errors": {
    behaviour: "onWrite refuses by an IdentityError; any other error is 503 [writeHookFailed], and is logged",
    section: "docs/transactions.md#refuse-a-write",
  },
  "on-write.own-writes": {
    behaviour: "What onWrite writes through tx does not call it again",
    section: "docs/transactions.md#follow-every-write",
  },
  "on-write.dry-run": {
    behaviour: "onWrite is called in a dry run and says so; its writes are undone",
    section: "docs/transactions.md#follow-every-write",
  },
  "on-write.repeated": {
    behaviour: "onWrite runs again with its transaction, and only the last run counts",
    section: "docs/transactions.md#runs-more-than-once",
  },
  "on-write.places": {
    behaviour: "onWrite follows imports, jobs, SCIM, kickstart, configuration documents and the host's own transactions",
    section: "docs/transactions.md#what-is-followed",
  },
  "on-write.asked": {
    behaviour: "Receivers are asked about what onWrite writes together with the operation",
    section: "docs/transactions.md#ask-webhooks-first",
  },
  "transaction.ask": {
    behaviour: "tx.askReceivers asks the receivers of transactional events of the transaction so far, and of nothing else",
    section: "docs/transactions.md#ask-webhooks-first",
  },
  "transaction.ask-refused": {
    behaviour: "tx.askReceivers throws 504 with the errors of the receivers where too few agree",
    section: "docs/transactions.md#ask-webhooks-first",
  },
  "transaction.ask-again": {
    behaviour: "A further tx.askReceivers asks about later events, and again about those that were refused",
    section: "docs/transactions.md#ask-webhooks-first",
  },
  "transaction.ask-retried": {
    behaviour: "A transaction that runs again asks again, about events with other ids",
    section: "docs/transactions.md#ask-webhooks-first",
  },
  "service.outbox": {
    behaviour: "An event is kept or lost with the change that caused it",
    section: "docs/reference/events.md#outbox",
  },
  "storage.run-again": {
    behaviour: "A storage may run the work of a transaction again: nothing is kept, told or asked twice",
    section: "docs/internals/storage.md",
  },
  "storage.reads-in-transaction": {
    behaviour: "What a transaction reads, it reads in itself and not beside itself",
    section: "docs/internals/storage.md",
  },
  "service.directory": {
    behaviour: "Groups, members and effective roles work on a host's own people",
    section: "docs/architecture.md",
  },
  "service.frozen": { behaviour: "What is handed in and out is a copy", section: "docs/architecture.md" },
  "service.bootstrap-key": {
    behaviour: "The bootstrap key is global, unrestricted and a manager; a restart makes no second one",
    section: "docs/architecture.md",
  },

  // Kickstart
  "kickstart.once": {
    behaviour: "A kickstart runs once in the life of a storage, whatever keys exist",
    section: keys("Bootstrap key and kickstart"),
  },
  "kickstart.keys": { behaviour: "Its keys are made directly, managers too", section: "docs/reference/system.md#kickstart" },
  "kickstart.first-key": {
    behaviour: "There is at least one key, and the first is global and unrestricted",
    section: "docs/reference/system.md#kickstart",
  },
  "kickstart.requests": {
    behaviour: "Requests are made in order with the first key",
    section: "docs/reference/system.md#kickstart",
  },
  "kickstart.failing": {
    behaviour: "A failing request is logged and the rest goes on",
    section: "docs/reference/system.md#kickstart",
  },
  "kickstart.content-type": { behaviour: "contentType sends RFC patches", section: "docs/reference/system.md#kickstart" },
  "kickstart.tenant": { behaviour: "tenantId becomes the tenant header", section: "docs/reference/system.md#kickstart" },
  "kickstart.variables": {
    behaviour: "Variables are replaced at any depth, in keys too, and may use earlier ones",
    section: "docs/reference/system.md#kickstart",
  },
  "kickstart.uuid": {
    behaviour: "UUID() is fresh each time it is written, the same where a variable keeps it",
    section: "docs/reference/system.md#kickstart",
  },
  "kickstart.environment": { behaviour: "ENV.NAME is an environment variable", section: "docs/reference/system.md#kickstart" },
  "kickstart.escape": { behaviour: "A backslash keeps a variable literal", section: "docs/reference/system.md#kickstart" },
  "kickstart.undefined": {
    behaviour: "A variable or file that is not there stops the start",
    section: "docs/reference/system.md#kickstart",
  },
  "kickstart.text-include": {
    behaviour: "@{path} is the text of a file beside the kickstart file",
    section: "docs/reference/system.md#kickstart",
  },
  "kickstart.json-include": {
    behaviour: "&{path} is the JSON of a file, as a body or a whole request",
    section: "docs/reference/system.md#kickstart",
  },
  "kickstart.default-tenant": {
    behaviour: "defaultTenantId sets the id of the default tenant",
    section: "docs/reference/system.md#kickstart",
  },
  "kickstart.built-in": {
    behaviour: "SERVICE_APPLICATION_ID and SERVICE_TENANT_ID are known",
    section: "docs/reference/system.md#kickstart",
  },
  "kickstart.event": {
    behaviour: "The end is the event kickstart.success with the id of the instance",
    section: "docs/reference/system.md#kickstart",
  },
  "kickstart.all-or-nothing": { behaviour: "A start that fails leaves nothing", section: "docs/architecture.md" },
};

/** Every rule of this release, by an id that tests cite. */
export const requirements: Readonly<Record<string, Requirement>> = {
  ...ofAllFamilies,
  ...configRequirements,
  ...configurationRequirements,
  ...connectorRequirements,
  ...consoleRequirements,
  ...formAndConsentRequirements,
  ...keyRequirements,
  ...emailTemplateRequirements,
  ...guardRequirements,
  ...linkRequirements,
  ...integrationRequirements,
  ...bulkUserRequirements,
  ...identityProviderRequirements,
  ...importJobRequirements,
  ...accountRequirements,
  ...accessListRequirements,
  ...entityRequirements,
  ...lambdasRequirements,
  ...eventLogRequirements,
  ...auditLogRequirements,
  ...eventsRequirements,
  ...lambdaRunnerRequirements,
  ...keysAndSystemRequirements,
  ...loginRequirements,
  ...webhooksRequirements,
  ...themeRequirements,
  ...twoFactorRequirements,
  ...userActionRequirements,
  ...passkeyRequirements,
  ...pageRequirements,
  ...removalRequirements,
  ...samlRequirements,
  ...openIdRequirements,
  ...scimRequirements,
  ...secretRequirements,
  ...openApiRequirements,
  ...sizeRequirements,
  ...smsRequirements,
  ...defaultsRequirements,
  ...documentationRequirements,
  ...dpopRequirements,
  ...clientCredentialsRequirements,
  ...testingRequirements,
  ...storageRequirements,
  ...messengerRequirements,
  ...observabilityRequirements,
  ...clientRequirements,
  ...wireRequirements,
};
