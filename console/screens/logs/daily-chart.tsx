import { useState } from "preact/hooks";
import { Chart } from "../../kit/chart/chart.js";
import { locale, useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Failed, Loading, Panel } from "../../kit/screen.js";

/** A line of the chart: counts the entries between two instants. */
export interface DailySeries {
  readonly label: string;
  count(range: { readonly start: number; readonly end: number }): Promise<number>;
}

const days = 14;
const day = 86_400_000;

/** Counts entries by day, only when the person opens the chart: without reports in the API, each day needs a search. */
export function DailyChart({ series, title }: { readonly title: string; readonly series: readonly DailySeries[] }) {
  const t = useMessages("logs");
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title={title}
      actions={
        <button type="button" class="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? "hideChart" : "showChart")}
        </button>
      }
    >
      {isOpen && <LoadedChart title={title} series={series} />}
    </Panel>
  );
}

function LoadedChart({ series, title }: { readonly title: string; readonly series: readonly DailySeries[] }) {
  const t = useMessages("logs");
  const { error, reload, value } = useLoad(async () => {
    const first = new Date().setHours(0, 0, 0, 0) - (days - 1) * day;
    const axis = Array.from({ length: days }, (_, number) => first + number * day);
    const lines = [];
    for (const { count, label } of series) {
      const values = await Promise.all(axis.map((start) => count({ start, end: start + day })));
      lines.push({ label, values });
    }
    return { axis, lines };
  }, [title]);
  if (error !== undefined) return <Failed error={error} onRetry={reload} />;
  if (value === undefined) return <Loading lines={4} />;
  const format = new Intl.DateTimeFormat(locale.value, { day: "numeric", month: "short" });
  return (
    <Chart
      title={t("lastDays", { days })}
      tableLabel={t("asTable")}
      axisLabel={t("day")}
      axis={value.axis}
      isTime
      showAxis={(instant) => format.format(instant)}
      series={value.lines}
    />
  );
}
