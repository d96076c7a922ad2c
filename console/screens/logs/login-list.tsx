import "../records/records.css";
import { Link } from "wouter-preact";
import { api, apiUrl, send, unwrap } from "../../app/api.js";
import { type Column, DataList, type Filter, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { Picker } from "../../kit/picker.js";
import { Screen } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { DateText } from "../../kit/values.js";
import { searched, toCriteria } from "../records/pages.js";
import { Siblings } from "../records/siblings.js";
import { logLists } from "./audit-list.js";
import { DailyChart, type DailySeries } from "./daily-chart.js";
import { saveFile } from "./export-button.js";

interface LoginEntry {
  readonly applicationId?: string | undefined;
  readonly applicationName?: string | undefined;
  readonly instant: number;
  readonly ipAddress?: string | undefined;
  readonly loginId?: string | undefined;
  readonly userId: string;
}

/** The login records, with a daily chart and the export of the API. */
export function LoginList() {
  const t = useMessages("logs");
  return (
    <Screen title={t("logins")} subtitle={t("loginsAbout")}>
      <Siblings messages="logs" rows={logLists} path="/logs/logins" />
      <DailyChart title={t("loginsByDay")} series={seriesOf(t)} />
      <DataList
        name="login-records"
        label={t("logins")}
        columns={columnsOf(t)}
        filters={filtersOf(t)}
        load={load}
        rowKey={({ instant, userId }) => `${instant}/${userId}`}
        toolbar={({ filters }) => (
          <button type="button" class="button" onClick={() => void exportRecords(t, filters)}>
            {t("export")}
          </button>
        )}
      />
    </Screen>
  );
}

function columnsOf(t: Translate): readonly Column<LoginEntry>[] {
  return [
    {
      id: "loginId",
      label: t("loginId"),
      cell: ({ loginId, userId }) => <Link href={`/users/${userId}`}>{loginId ?? userId}</Link>,
    },
    {
      id: "application",
      label: t("application"),
      cell: ({ applicationId, applicationName }) => applicationName ?? applicationId ?? "",
    },
    { id: "ipAddress", label: t("address"), cell: ({ ipAddress }) => <code>{ipAddress ?? ""}</code> },
    { id: "instant", label: t("when"), cell: ({ instant }) => <DateText value={instant} exact /> },
  ];
}

function filtersOf(t: Translate): readonly Filter[] {
  const picker = (id: string, family: "user" | "application"): Filter => ({
    id,
    label: t(family === "user" ? "user" : "application"),
    render: (value, onChange) => (
      <Picker
        family={family}
        value={value}
        onChange={onChange}
        aria-label={t(family === "user" ? "user" : "application")}
        placeholder={t(family === "user" ? "user" : "application")}
      />
    ),
  });
  return [
    picker("userId", "user"),
    picker("applicationId", "application"),
    { id: "start", label: t("from"), kind: "instant" },
    { id: "end", label: t("until"), kind: "instant" },
  ];
}

function load(page: ListPage) {
  return searched(api.loginRecords.search({ search: toCriteria(page) }, { signal: page.signal }), ({ logins }) => logins ?? []);
}

function seriesOf(t: Translate): readonly DailySeries[] {
  const ofEvent = (label: string, eventType: string): DailySeries => ({
    label,
    count: async (range) =>
      unwrap(await api.webhookEventLogs.search({ search: { ...range, eventType, numberOfResults: 0 } })).total ?? 0,
  });
  return [
    {
      label: t("logins"),
      count: async (range) => unwrap(await api.loginRecords.search({ search: { ...range, numberOfResults: 0 } })).total ?? 0,
    },
    ofEvent(t("failures"), "user.login.failed"),
  ];
}

async function exportRecords(t: Translate, filters: Readonly<Record<string, string>>): Promise<void> {
  const { end, start, ...others } = filters;
  const criteria = { ...others, ...(start && { start: Number(start) }), ...(end && { end: Number(end) }) };
  const zoneId = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const response = await send(apiUrl("/api/system/login-record/export"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ criteria, zoneId }),
  });
  if (response.ok) saveFile("login-records.zip", await response.blob());
  else notify(t("notExported", { status: response.status }), { kind: "failed" });
}
