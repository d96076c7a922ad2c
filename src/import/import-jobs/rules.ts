import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { type ImportJobCalls, toUserImport } from "./in-process-import.js";

export { operations } from "./job-operations.js";

/** The in-process call that runs one job to its end. */
export const inProcessCalls: FamilyRulesModule["inProcessCalls"] = {
  "users.import": (calls, timers) => toUserImport(calls as ImportJobCalls, timers),
};
