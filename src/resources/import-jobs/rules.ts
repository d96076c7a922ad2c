import { type ImportJobCalls, toUserImport } from "../../accounts/bulk/jobs/in-process-import.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";

export { operations } from "../../accounts/bulk/jobs/job-operations.js";

/** The function in process that follows one job to its end. */
export const inProcessCalls: FamilyRulesModule["inProcessCalls"] = {
  "users.import": (calls) => toUserImport(calls as ImportJobCalls),
};
