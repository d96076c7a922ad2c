import "../records/records.css";
import { api } from "../../app/api.js";
import { type Column, DataList, type Filter, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { Screen } from "../../kit/screen.js";
import { Badge, DateText } from "../../kit/values.js";
import { searched, toCriteria } from "../records/pages.js";
import { Siblings } from "../records/siblings.js";
import { logLists } from "./audit-list.js";
import { ExportButton } from "./export-button.js";

interface EventEntry {
  readonly id: number;
  readonly type: string;
  readonly message: string;
  readonly insertInstant: number;
}

export const eventKinds: Readonly<Record<string, "bad" | "neutral" | "accent">> = {
  Error: "bad",
  Information: "accent",
  Debug: "neutral",
};

/** The event log: errors, and the output of lambdas and messengers. */
export function EventList() {
  const t = useMessages("logs");
  return (
    <Screen title={t("events")} subtitle={t("eventsAbout")}>
      <Siblings messages="logs" rows={logLists} path="/logs/events" />
      <DataList
        name="event-log"
        label={t("events")}
        searchLabel={t("searchMessage")}
        columns={columnsOf(t)}
        filters={filtersOf(t)}
        load={load}
        rowKey={({ id }) => String(id)}
        rowHref={({ id }) => `/logs/events/${id}`}
        toolbar={({ filters, query }) => <ExportButton name="event-log" pages={() => allPages({ ...filters, message: query })} />}
      />
    </Screen>
  );
}

function columnsOf(t: Translate): readonly Column<EventEntry>[] {
  return [
    { id: "message", label: t("message"), sort: "message", cell: ({ message }) => message.split("\n")[0]?.slice(0, 160) },
    {
      id: "type",
      label: t("type"),
      sort: "type",
      cell: ({ type }) => <Badge kind={eventKinds[type]}>{t(`type.${type}`)}</Badge>,
    },
    {
      id: "insertInstant",
      label: t("when"),
      sort: "insertInstant",
      cell: ({ insertInstant }) => <DateText value={insertInstant} />,
    },
  ];
}

function filtersOf(t: Translate): readonly Filter[] {
  const options = Object.keys(eventKinds).map((value) => ({ value, label: t(`type.${value}`) }));
  return [
    { id: "type", label: t("type"), kind: "choice", options },
    { id: "start", label: t("from"), kind: "instant" },
    { id: "end", label: t("until"), kind: "instant" },
  ];
}

function load(page: ListPage) {
  const search = toCriteria(page, { message: page.query });
  return searched(api.eventLogs.search({ search }, { signal: page.signal }), ({ eventLogs }) => eventLogs ?? []);
}

async function* allPages(criteria: Readonly<Record<string, string>>) {
  const search = { ...Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== "")), numberOfResults: 1_000 };
  for await (const { eventLogs } of api.eventLogs.searchAll({ search }).pages()) yield eventLogs ?? [];
}
