import type { Requirement } from "./requirement.js";

const system = "docs/reference/system.md";
const audit = "docs/audit.md";

/** The rules about the audit log. */
export const auditLogRequirements: Readonly<Record<string, Requirement>> = {
  "audit-log.create": {
    behaviour: "POST writes an entry of message, insertUser, data, newValue, oldValue and reason",
    section: system,
  },
  "audit-log.message": {
    behaviour: "An entry without a message is 400 [blank]auditLog.message",
    section: "docs/reference/errors.md#codes-by-family",
  },
  "audit-log.user": {
    behaviour: "insertUser is whoever calls where it is left out",
    section: "docs/reference/system.md#audit-log",
  },
  "audit-log.ids": {
    behaviour: "Ids are whole numbers that grow; anything else is 404",
    section: "docs/reference/system.md#audit-log",
  },
  "audit-log.search": {
    behaviour: "Entries are searched by time, message, user, values, reason and tenant",
    section: "docs/reference/search.md",
  },
  "audit-log.order": {
    behaviour: "The newest come first; insertInstant, insertUser, message and tenant can be sorted by",
    section: "docs/reference/search.md",
  },
  "audit-log.event": {
    behaviour: "Each entry causes audit-log.create once, in its transaction",
    section: "docs/reference/events.md#event-types",
  },
  "audit-log.tenants": {
    behaviour: "A key of a tenant writes and sees the entries of its tenant alone",
    section: "docs/reference/api-keys.md#global-endpoints",
  },
  "audit-log.immutable": {
    behaviour: "Nobody changes or removes an entry",
    section: "docs/reference/system.md#audit-log",
  },
  "audit-log.dry-run": {
    behaviour: "A dry run stores, publishes and audits nothing",
    section: "docs/reference/wire.md#dry-run",
  },
  "audit-log.by-request": {
    behaviour: "The service writes no entries by itself unless it is told to audit changes",
    section: "docs/reference/system.md#audit-log",
  },
  "audit-log.retention": {
    behaviour: "Entries go after 365 days, or as auditRetentionMs says",
    section: "docs/reference/system.md#audit-log",
  },
  "audit.changes": {
    behaviour: "With auditChanges each change of a record writes one entry, which says by whom and what it was before",
    section: audit,
  },
  "audit.families": { behaviour: "The records of every family that administrators change are audited", section: audit },
  "audit.bulk": { behaviour: "A call that changes many records writes an entry for each", section: audit },
  "audit.secrets": { behaviour: "No entry holds a secret", section: audit },
  "audit.undone": { behaviour: "What is undone, tried or refused writes no entry", section: audit },
  "audit.reason": { behaviour: "X-Audit-Reason says why; control characters and long ones are 400", section: audit },
  "audit.tenants": {
    behaviour: "An entry belongs to the tenant of its record; the removal of a tenant outlives it",
    section: audit,
  },
  "audit.logins": { behaviour: "Logins, sessions and what follows from them write no entry", section: audit },
  "audit.size": { behaviour: "A value above 64 KiB is left out, and the entry says so", section: audit },
  "audit.diff": {
    behaviour: "An entry about a changed record lists the members that differ, by JSON Pointers, without secrets",
    section: audit,
  },
  "audit.chain": { behaviour: "Each entry has a link in a chain of digests, made after its commit", section: audit },
  "audit.verify": {
    behaviour: "identity.audit.verify names the first entry that was changed, removed or added",
    section: audit,
  },
  "audit.expiry": { behaviour: "Retention removes entries and keeps their digests", section: audit },
  "audit.export": {
    behaviour: "An export streams the entries that a search of the caller finds, the oldest first, from one state of the storage",
    section: `${audit}#export`,
  },
  "audit.numbers": {
    behaviour:
      "Numbers have no gaps where transactions run one after the other, and are unique and grow in each process where not",
    section: audit,
  },
};
