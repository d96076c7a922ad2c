import type { Requirement } from "./requirement.js";

const system = "facts.md 10.12";

/** The rules about the audit log. */
export const auditLogRequirements: Readonly<Record<string, Requirement>> = {
  "audit-log.create": {
    behaviour: "POST writes an entry of message, insertUser, data, newValue, oldValue and reason",
    section: system,
  },
  "audit-log.message": { behaviour: "An entry without a message is 400 [blank]auditLog.message", section: "facts.md 2.5" },
  "audit-log.user": { behaviour: "insertUser is whoever calls where it is left out", section: "docs/behaviour.md, Audit log" },
  "audit-log.ids": {
    behaviour: "Ids are whole numbers that grow; anything else is 404",
    section: "docs/behaviour.md, Audit log",
  },
  "audit-log.search": {
    behaviour: "Entries are searched by time, message, user, values, reason and tenant",
    section: "facts.md 12",
  },
  "audit-log.order": {
    behaviour: "The newest come first; insertInstant, insertUser, message and tenant can be sorted by",
    section: "facts.md 12",
  },
  "audit-log.event": { behaviour: "Each entry causes audit-log.create once, in its transaction", section: "facts.md 3.7" },
  "audit-log.tenants": {
    behaviour: "A key of a tenant writes and sees the entries of its tenant alone",
    section: "facts.md 9.2",
  },
  "audit-log.immutable": {
    behaviour: "Nobody changes or removes an entry",
    section: "docs/behaviour.md, Audit log",
  },
  "audit-log.dry-run": {
    behaviour: "A dry run stores, publishes and audits nothing",
    section: "decisions.md, PATCH: Dry run",
  },
  "audit-log.by-request": { behaviour: "The service writes no entries by itself", section: "docs/behaviour.md, Audit log" },
  "audit-log.retention": { behaviour: "Entries go after 365 days", section: "docs/behaviour.md, Audit log" },
};
