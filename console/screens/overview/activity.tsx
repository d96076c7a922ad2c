import { api, unwrap } from "../../app/api.js";
import { tenantId } from "../../app/tenant.js";
import { Chart } from "../../kit/chart/chart.js";
import { locale, useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Failed, Loading, Panel } from "../../kit/screen.js";

const day = 86_400_000;
const days = 7;

/** The logins and deliveries of the last days, as a chart with its table. */
export function Activity() {
  const t = useMessages("overview");
  const { error, reload, value } = useLoad(readDays, [tenantId.value]);
  const format = new Intl.DateTimeFormat(locale.value, { weekday: "short", day: "numeric", month: "short" });
  return (
    <Panel>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading lines={4} />}
      {value !== undefined && (
        <Chart
          title={t("activity")}
          tableLabel={t("asTable")}
          axisLabel={t("day")}
          axis={value.map(({ start }) => start)}
          isTime
          showAxis={(start) => format.format(start)}
          series={[
            { label: t("loginsOfDay"), values: value.map(({ logins }) => logins) },
            { label: t("eventsOfDay"), values: value.map(({ events }) => events) },
            { label: t("failedOfDay"), values: value.map(({ failed }) => failed) },
          ]}
        />
      )}
    </Panel>
  );
}

function readDays() {
  const today = new Date().setHours(0, 0, 0, 0);
  return Promise.all(Array.from({ length: days }, (_, index) => readDay(today - (days - 1 - index) * day)));
}

// Requests only the totals, so that the service returns no rows.
async function readDay(start: number) {
  const span = { start, end: start + day, numberOfResults: 0 };
  const [logins, events, failed] = await Promise.all([
    api.loginRecords.search({ search: span }),
    api.webhookEventLogs.search({ search: span }),
    api.webhookEventLogs.search({ search: { ...span, eventResult: "Failed" } }),
  ]);
  return { start, logins: unwrap(logins).total, events: unwrap(events).total, failed: unwrap(failed).total };
}
