import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { notifyModeration } from "./notify-moderation.js";

/** Custom operations. */
export const operations: FamilyRulesModule["operations"] = {
  notify: notifyModeration,
};
