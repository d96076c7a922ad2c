export * as bulkUsers from "./bulk-users/rules.js";
export * as importJobs from "./import-jobs/rules.js";
