import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { lazyOperation } from "../../operations/operation.js";

/** The operations of its own. */
export const operations: FamilyRulesModule["operations"] = {
  notify: lazyOperation(() => import("../../accounts/moderation/notify-moderation.js"), "notifyModeration"),
};
