export { operations } from "../../accounts/bulk/jobs/job-operations.js";
