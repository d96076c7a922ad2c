// What housekeeping does now and then, loaded with the first of it: 50 KB that most starts never need.
export { saveLogins } from "../../audit/login-records/rules.js";
export { endDeliveries } from "../../delivery/queues/end-deliveries.js";
export { appendAuditLinks } from "../audit/audit-chain.js";
export { publishWarnings } from "./publish-warnings.js";
