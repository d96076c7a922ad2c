import type { Area, ScreenParams } from "../../app/area.js";
import { withRecords } from "../records/family-routes.js";
import { logMessages } from "./messages.js";

const idOf = ({ params }: ScreenParams): string => params.id ?? "";

/** The area for the audit log, the event log, and login records. */
export const logs: Area = {
  name: "logs",
  group: "system",
  icon: "logs",
  path: "/logs/audit",
  label: { en: "Logs", de: "Protokolle" },
  requires: { method: "GET", path: "/api/system/audit-log/search" },
  messages: logMessages,
  routes: [
    { path: "/logs/audit", screen: () => withRecords(import("./audit-list.js").then(({ AuditList }) => AuditList)) },
    { path: "/logs/audit/:id", screen: () => withRecords(showAuditEntry()) },
    { path: "/logs/events", screen: () => withRecords(import("./event-list.js").then(({ EventList }) => EventList)) },
    { path: "/logs/events/:id", screen: () => withRecords(showEventEntry()) },
    { path: "/logs/logins", screen: () => withRecords(import("./login-list.js").then(({ LoginList }) => LoginList)) },
  ],
};

async function showAuditEntry() {
  const { AuditEntryScreen } = await import("./audit-entry.js");
  return (given: ScreenParams) => <AuditEntryScreen id={idOf(given)} />;
}

async function showEventEntry() {
  const { EventEntryScreen } = await import("./event-entry.js");
  return (given: ScreenParams) => <EventEntryScreen id={idOf(given)} />;
}
