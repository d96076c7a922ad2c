export * as auditLogs from "./audit-logs/rules.js";
export * as eventLogs from "./event-logs/rules.js";
export * as loginRecords from "./login-records/rules.js";
