// Housekeeping tasks, loaded with the first of them: 50 KB that most starts never need.
export { saveLogins } from "../../audit/login-records/rules.js";
export { endDeliveries } from "../../delivery/queues/end-deliveries.js";
export { appendAuditLinks } from "../audit/audit-chain.js";
export { warnOfMissingIndexes } from "./missing-indexes.js";
export { publishWarnings } from "./publish-warnings.js";
