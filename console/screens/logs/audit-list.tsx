import "../records/records.css";
import { api } from "../../app/api.js";
import { type Column, DataList, type Filter, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { Screen } from "../../kit/screen.js";
import { DateText } from "../../kit/values.js";
import { searched, toCriteria } from "../records/pages.js";
import { Siblings } from "../records/siblings.js";
import { ExportButton } from "./export-button.js";

/** An entry of the audit log. */
export interface AuditEntry {
  readonly id: number;
  readonly message: string;
  readonly insertInstant: number;
  readonly insertUser: string;
  readonly reason?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly oldValue?: unknown;
  readonly newValue?: unknown;
}

export const logLists: readonly { readonly label: string; readonly path: string }[] = [
  { label: "audit", path: "/logs/audit" },
  { label: "events", path: "/logs/events" },
  { label: "logins", path: "/logs/logins" },
];

/** The audit log: the author, change, time, and reason of each operation. */
export function AuditList() {
  const t = useMessages("logs");
  return (
    <Screen title={t("audit")} subtitle={t("auditAbout")}>
      <Siblings messages="logs" rows={logLists} path="/logs/audit" />
      <DataList
        name="audit-log"
        label={t("audit")}
        searchLabel={t("searchMessage")}
        columns={columnsOf(t)}
        filters={filtersOf(t)}
        load={load}
        rowKey={({ id }) => String(id)}
        rowHref={({ id }) => `/logs/audit/${id}`}
        toolbar={({ filters, query }) => <ExportButton name="audit-log" pages={() => allPages({ ...filters, message: query })} />}
      />
    </Screen>
  );
}

function columnsOf(t: Translate): readonly Column<AuditEntry>[] {
  return [
    { id: "message", label: t("message"), sort: "message", cell: ({ message }) => message },
    { id: "insertUser", label: t("who"), sort: "insertUser", cell: ({ insertUser }) => <code>{insertUser}</code> },
    { id: "reason", label: t("reason"), cell: ({ reason }) => reason ?? "" },
    {
      id: "insertInstant",
      label: t("when"),
      sort: "insertInstant",
      cell: ({ insertInstant }) => <DateText value={insertInstant} />,
    },
    { id: "tenantId", label: t("tenant"), hidden: true, cell: ({ tenantId }) => <code>{tenantId ?? ""}</code> },
  ];
}

function filtersOf(t: Translate): readonly Filter[] {
  return [
    { id: "user", label: t("who"), kind: "text" },
    { id: "reason", label: t("reason"), kind: "text" },
    { id: "newValue", label: t("inNewValue"), kind: "text" },
    { id: "oldValue", label: t("inOldValue"), kind: "text" },
    { id: "start", label: t("from"), kind: "instant" },
    { id: "end", label: t("until"), kind: "instant" },
  ];
}

function load(page: ListPage) {
  const search = toCriteria(page, { message: page.query });
  return searched(api.auditLogs.search({ search }, { signal: page.signal }), ({ auditLogs }) => auditLogs ?? []);
}

async function* allPages(criteria: Readonly<Record<string, string>>) {
  const search = { ...Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== "")), numberOfResults: 1_000 };
  for await (const { auditLogs } of api.auditLogs.searchAll({ search }).pages()) yield auditLogs ?? [];
}
