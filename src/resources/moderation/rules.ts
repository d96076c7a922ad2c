import { notifyModeration } from "../../accounts/moderation/notify-moderation.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";

/** The operations of its own. */
export const operations: FamilyRulesModule["operations"] = {
  notify: notifyModeration,
};
