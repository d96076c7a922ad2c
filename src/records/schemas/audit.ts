export { auditLogRequest, exportAuditLogsRequest } from "../audit-logs/schema.js";
export { exportLoginRecordsRequest } from "../login-records/schema.js";
