import { exportUsers } from "../../accounts/bulk/export-users.js";
import { importRefreshTokens } from "../../accounts/bulk/import-refresh-tokens.js";
import { importUsers } from "../../accounts/bulk/import-users.js";
import { removeUsers } from "../../accounts/bulk/remove-users.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";

/** The operations of its own. */
export const operations: FamilyRulesModule["operations"] = {
  export: exportUsers,
  import: importUsers,
  importRefreshTokens,
  remove: removeUsers,
};
