import type { RulesBySection } from "./rules.js";

/** The rules of import jobs. */
export const importJobRequirements: RulesBySection = {
  "docs/reference/user-import.md#jobs": `
    import-jobs.create import-jobs.references import-jobs.duplicates import-jobs.dry-run import-jobs.events import-jobs.csv
    import-jobs.cancel import-jobs.revoked-key import-jobs.tenants import-jobs.expiry import-jobs.sealed import-jobs.in-process
    import-jobs.limits import-jobs.hostile import-jobs.progress import-jobs.takeover import-jobs.others-first import-jobs.audit
  `,
};
