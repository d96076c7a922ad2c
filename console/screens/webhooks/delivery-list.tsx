import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import { type Column, DataList, type Filter, type ListPage } from "../../kit/data-list/index.js";
import { formatNumber, useMessages } from "../../kit/i18n.js";
import { Screen } from "../../kit/screen.js";
import { Badge, DateText } from "../../kit/values.js";
import { DailyChart, type DailySeries } from "../logs/daily-chart.js";
import { searched, toCriteria } from "../records/pages.js";
import { eventGroups } from "./event-groups.js";
import { ReplayDialog } from "./replay-dialog.js";

interface Row {
  readonly id: string;
  readonly eventType: string;
  readonly eventResult: string;
  readonly failedAttempts: number;
  readonly successfulAttempts: number;
  readonly insertInstant: number;
  readonly lastAttemptInstant?: number | undefined;
  readonly linkedObjectId?: string | undefined;
}

export const resultKinds: Readonly<Record<string, "good" | "bad" | "warn">> = {
  Succeeded: "good",
  Failed: "bad",
  Running: "warn",
};

/** The events for webhooks and the message broker, delivered or still in delivery. */
export function DeliveryList() {
  const t = useMessages("deliveries");
  const [replayed, setReplayed] = useState<Readonly<Record<string, string>>>();
  const [version, setVersion] = useState(0);
  return (
    <Screen title={t("deliveries")} subtitle={t("deliveriesSubtitle")}>
      <DailyChart title={t("deliveriesByDay")} series={seriesOf(t)} />
      <DataList
        name="deliveries"
        label={t("deliveries")}
        searchLabel={t("searchEvent")}
        columns={columnsOf(t)}
        filters={filtersOf(t)}
        load={loadDeliveries}
        version={version}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/deliveries/${id}`}
        toolbar={({ filters, query }) => (
          <button type="button" class="button" onClick={() => setReplayed({ ...filters, ...(query !== "" && { event: query }) })}>
            {t("replay")}
          </button>
        )}
        empty={<p>{t("noDeliveries")}</p>}
      />
      {replayed !== undefined && (
        <ReplayDialog
          criteria={replayed}
          onClose={() => {
            setReplayed(undefined);
            setVersion(version + 1);
          }}
        />
      )}
    </Screen>
  );
}

type Translate = ReturnType<typeof useMessages>;

function columnsOf(t: Translate): readonly Column<Row>[] {
  return [
    { id: "eventType", label: t("event"), sort: "eventType", cell: ({ eventType }) => <code>{eventType}</code> },
    {
      id: "eventResult",
      label: t("result"),
      sort: "eventResult",
      cell: ({ eventResult }) => <Badge kind={resultKinds[eventResult]}>{t(`result.${eventResult}`)}</Badge>,
    },
    {
      id: "failedAttempts",
      label: t("failedAttempts"),
      align: "end",
      cell: ({ failedAttempts }) => formatNumber(failedAttempts),
    },
    {
      id: "successfulAttempts",
      label: t("successfulAttempts"),
      align: "end",
      cell: ({ successfulAttempts }) => formatNumber(successfulAttempts),
    },
    {
      id: "insertInstant",
      label: t("recorded"),
      sort: "insertInstant",
      cell: ({ insertInstant }) => <DateText value={insertInstant} />,
    },
    {
      id: "lastAttemptInstant",
      label: t("lastAttempt"),
      sort: "lastAttemptInstant",
      cell: ({ lastAttemptInstant }) => <DateText value={lastAttemptInstant} />,
    },
    { id: "linkedObjectId", label: t("about"), hidden: true, cell: ({ linkedObjectId }) => <code>{linkedObjectId ?? ""}</code> },
  ];
}

function filtersOf(t: Translate): readonly Filter[] {
  const results = Object.keys(resultKinds).map((value) => ({ value, label: t(`result.${value}`) }));
  const types = eventGroups.flatMap(({ events }) => events.map(({ name }) => ({ value: name, label: name })));
  return [
    { id: "eventResult", label: t("result"), kind: "choice", options: results },
    { id: "eventType", label: t("event"), kind: "choice", options: types },
    { id: "start", label: t("from"), kind: "instant" },
    { id: "end", label: t("until"), kind: "instant" },
  ];
}

function seriesOf(t: Translate): readonly DailySeries[] {
  return (["Succeeded", "Failed"] as const).map((eventResult) => ({
    label: t(`result.${eventResult}`),
    count: async (range) =>
      unwrap(await api.webhookEventLogs.search({ search: { ...range, eventResult, numberOfResults: 0 } })).total ?? 0,
  }));
}

function loadDeliveries(page: ListPage) {
  const search = toCriteria(page, { event: page.query });
  return searched(
    api.webhookEventLogs.search({ search }, { signal: page.signal }),
    ({ webhookEventLogs }) => webhookEventLogs ?? [],
  );
}
