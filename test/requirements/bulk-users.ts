import type { RulesBySection } from "./rules.js";

/** The rules of imports and removals of many users. */
export const bulkUserRequirements: RulesBySection = {
  "docs/reference/user-import.md": "users.import users.import-duplicates users.import-references users.import-second-factor",
  "docs/reference/user-import.md#events": "users.import-event",
  "docs/reference/authentication.md#tenant-header": "users.import-tenants users.remove-many-scope",
  "docs/reference/user-import.md#hash-formats": "users.import-hashes",
  "docs/reference/user-import.md#your-own-hashes": "users.import-own-scheme",
  "docs/reference/user-import.md#limits": "users.import-factor users.import-size",
  "docs/reference/user-import.md#passwords": "users.import-rehash users.import-secrets",
  "docs/reference/user-import.md#import-refresh-tokens": "users.import-tokens",
  "docs/reference/user-import.md#remove-many-users": "users.remove-many users.remove-many-dry",
  "docs/reference/events.md#cascades": "users.remove-many-events",
  "docs/reference/user-export.md": "export.lines export.walls export.audit",
  "docs/reference/user-export.md#round-trip": "export.same",
  "docs/reference/user-export.md#secrets": "export.passkeys export.hashes",
  "docs/reference/user-import.md#import-users": "users.import-passkeys",
  "docs/reference/user-export.md#one-state": "export.consistent",
  "docs/reference/user-export.md#limits": "export.size export.ends",
};
