import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { notifyModeration } from "./notify-moderation.js";

/** The operations of its own. */
export const operations: FamilyRulesModule["operations"] = {
  notify: notifyModeration,
};
