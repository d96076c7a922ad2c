import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { exportUsers } from "./export-users.js";
import { importRefreshTokens } from "./import-refresh-tokens.js";
import { importUsers } from "./import-users.js";
import { removeUsers } from "./remove-users.js";

/** The family's own operations. */
export const operations: FamilyRulesModule["operations"] = {
  export: exportUsers,
  import: importUsers,
  importRefreshTokens,
  remove: removeUsers,
};
