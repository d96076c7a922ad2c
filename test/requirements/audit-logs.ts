import type { RulesBySection } from "./rules.js";

/** The rules about the audit log. */
export const auditLogRequirements: RulesBySection = {
  "docs/reference/system.md": "audit-log.create",
  "docs/reference/errors.md#codes-by-family": "audit-log.message",
  "docs/reference/system.md#audit-log":
    "audit-log.user audit-log.ids audit-log.immutable audit-log.by-request audit-log.retention",
  "docs/reference/search.md": "audit-log.search audit-log.order",
  "docs/reference/events.md#event-types": "audit-log.event",
  "docs/reference/api-keys.md#global-endpoints": "audit-log.tenants",
  "docs/reference/wire.md#dry-run": "audit-log.dry-run",
  "docs/audit.md": `
    audit.changes audit.families audit.bulk audit.secrets audit.undone audit.reason audit.tenants audit.logins audit.size
    audit.diff audit.chain audit.verify audit.expiry audit.numbers
  `,
  "docs/audit.md#export": "audit.export",
};
