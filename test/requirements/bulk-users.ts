import type { Requirement } from "./requirement.js";

const page = "docs/reference/user-import.md";
const exportPage = "docs/reference/user-export.md";

/** The rules of imports and removals of many users. */
export const bulkUserRequirements: Readonly<Record<string, Requirement>> = {
  "users.import": {
    behaviour:
      "An import stores users with fields, registrations, memberships and passwords; active defaults to false; empty 200",
    section: page,
  },
  "users.import-event": {
    behaviour: "An import publishes user.bulk.create, and no event of a single user",
    section: `${page}#events`,
  },
  "users.import-duplicates": {
    behaviour: "A duplicate, in the body or in the storage, is 400 and names the values; nothing is stored",
    section: page,
  },
  "users.import-tenants": {
    behaviour: "Users belong to the tenant of the call, else to the one that each names",
    section: "docs/reference/authentication.md#tenant-header",
  },
  "users.import-references": {
    behaviour: "Applications, roles and groups of imported users must exist in the tenant of the user",
    section: page,
  },
  "users.import-hashes": {
    behaviour: "Hashes of other systems are understood by their own format, those of the reference's schemes in parts",
    section: `${page}#hash-formats`,
  },
  "users.import-own-scheme": {
    behaviour: "A scheme of the host checks the hashes that name it; its error counts as a wrong password",
    section: `${page}#your-own-hashes`,
  },
  "users.import-factor": {
    behaviour: "A hash that takes longer than about a second or more than 256 MiB to check is refused, and so is such a factor",
    section: `${page}#limits`,
  },
  "users.import-rehash": {
    behaviour: "The first login replaces an imported hash by Argon2id; logins under way go on",
    section: `${page}#passwords`,
  },
  "users.import-secrets": {
    behaviour: "No password, hash, salt, secret or recovery code of an import stands in an answer, an event or the log",
    section: `${page}#passwords`,
  },
  "users.import-second-factor": { behaviour: "Second factors and recovery codes are imported", section: page },
  "users.import-tokens": {
    behaviour: "Imported refresh tokens work until their lifetime ends; each needs a user, who is registered to its application",
    section: `${page}#import-refresh-tokens`,
  },
  "users.import-size": {
    behaviour: "Imports and member lists have maxImportBytes; a record in them is as large as one that comes by itself",
    section: `${page}#limits`,
  },
  "users.remove-many": {
    behaviour:
      "DELETE of many users deactivates them, or removes them with hardDelete, by ids, query or queryString, and answers the ids",
    section: `${page}#remove-many-users`,
  },
  "users.remove-many-events": {
    behaviour: "Each user who is removed with others has the events of a single removal",
    section: "docs/reference/events.md#cascades",
  },
  "users.remove-many-scope": {
    behaviour: "A removal of many users reaches those of the caller's tenant alone",
    section: "docs/reference/authentication.md#tenant-header",
  },
  "users.remove-many-dry": {
    behaviour: "dryRun answers who would be removed, and removes nobody",
    section: `${page}#remove-many-users`,
  },
  "export.lines": {
    behaviour: "An export has a line for each user with what belongs to them, in the order of ids, without secrets",
    section: exportPage,
  },
  "export.same": {
    behaviour: "An import of an export gives the same service back, with hashes, second factors and consents",
    section: `${exportPage}#round-trip`,
  },
  "export.passkeys": {
    behaviour: "With secrets a line has the user's passkeys, and an import of it gives them back",
    section: `${exportPage}#secrets`,
  },
  "users.import-passkeys": {
    behaviour: "An import of users refuses a passkey whose key, domain, id or number is wrong, naming its place; none are stored",
    section: `${page}#import-users`,
  },
  "export.hashes": {
    behaviour: "Hashes and second factors need the grant POST on /api/user/export/password-hashes; else 401",
    section: `${exportPage}#secrets`,
  },
  "export.walls": { behaviour: "An export has the users that a search of the caller finds", section: exportPage },
  "export.consistent": {
    behaviour: "An export shows one state of the storage, and keeps no writer waiting",
    section: `${exportPage}#one-state`,
  },
  "export.size": { behaviour: "An export reads users of any size in pages of bounded memory", section: `${exportPage}#limits` },
  "export.ends": {
    behaviour: "Two exports run at once; one ends with its client, after a minute without reading, and with the service",
    section: `${exportPage}#limits`,
  },
  "export.audit": {
    behaviour: "The audit log has who exported which users, how many and whether with hashes",
    section: exportPage,
  },
};
