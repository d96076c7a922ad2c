import "../records/records.css";
import { useState } from "preact/hooks";
import { api, apiUrl, send, unwrap } from "../../app/api.js";
import { Chart } from "../../kit/chart/chart.js";
import { TextInput } from "../../kit/field.js";
import { formatNumber, useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Failed, Loading, Panel, Screen } from "../../kit/screen.js";
import { Badge, DateText, Facts } from "../../kit/values.js";
import { bucketsOf, parseMetrics, type Sample } from "./metrics.js";

/** The version, the storage, the workers and the metrics of the service. */
export function SystemScreen() {
  const t = useMessages("settings");
  const { error, isLoading, reload, value } = useLoad(readSystem, []);
  const again = (
    <button type="button" class="button" disabled={isLoading} onClick={reload}>
      {t("reload")}
    </button>
  );
  return (
    <Screen title={t("system")} subtitle={t("systemAbout")} actions={again}>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && <SystemParts {...value} />}
    </Screen>
  );
}

type System = Awaited<ReturnType<typeof readSystem>>;

async function readSystem() {
  const [status, health, metrics] = await Promise.all([
    api.system.status({}),
    send(apiUrl("/api/health")),
    send(apiUrl("/api/prometheus/metrics")),
  ]);
  const text = metrics.ok ? await metrics.text() : "";
  return { status: unwrap(status), isHealthy: health.ok, samples: parseMetrics(text) };
}

function SystemParts({ isHealthy, samples, status }: System) {
  const t = useMessages("settings");
  const badge = (isGood: boolean, good: string, bad: string) => (
    <Badge kind={isGood ? "good" : "bad"}>{t(isGood ? good : bad)}</Badge>
  );
  const { storage } = status;
  return (
    <>
      <div class="card-grid">
        <Panel title={t("service")}>
          <Facts
            rows={[
              [t("health"), badge(isHealthy, "healthy", "unhealthy")],
              [t("version"), status.version],
              [t("started"), <DateText key="started" value={status.startInstant} />],
            ]}
          />
        </Panel>
        <Panel title={t("storage")}>
          <Facts
            rows={[
              [t("answers"), badge(storage.answers, "yes", "no")],
              [t("durable"), badge(storage.isDurable, "yes", "no")],
              [t("shared"), t(storage.isShared ? "yes" : "no")],
              [t("ping"), say(samples, "latchkey_storage_ping_seconds", (seconds) => t("milliseconds", { time: toMs(seconds) }))],
            ]}
          />
        </Panel>
        <Panel title={t("workers")}>
          <Facts
            rows={[
              [t("outbox"), say(samples, "latchkey_outbox_events", formatNumber)],
              [t("setAside"), say(samples, "latchkey_set_aside_records", formatNumber)],
              [t("guests"), say(samples, "latchkey_lambda_guests", formatNumber)],
              [t("waitingRuns"), say(samples, "latchkey_lambda_waiting_runs", formatNumber)],
              [t("breakers"), say(samples, "latchkey_lambda_open_breakers", formatNumber)],
            ]}
          />
        </Panel>
      </div>
      <Histogram title={t("requestTimes")} samples={samples} name="latchkey_http_request_duration_seconds" />
      <Histogram title={t("lambdaTimes")} samples={samples} name="latchkey_lambda_run_duration_seconds" />
      <MetricsTable samples={samples} />
    </>
  );
}

const toMs = (seconds: number): string => formatNumber(seconds * 1_000, { maximumFractionDigits: 2 });

/** Formats the sum of a metric over its labels; undefined without samples. */
function say(samples: readonly Sample[], name: string, show: (value: number) => string): string | undefined {
  const found = samples.filter((sample) => sample.name === name);
  return found.length === 0 ? undefined : show(found.reduce((sum, { value }) => sum + value, 0));
}

function Histogram({
  name,
  samples,
  title,
}: {
  readonly title: string;
  readonly samples: readonly Sample[];
  readonly name: string;
}) {
  const t = useMessages("settings");
  const { bounds, counts } = bucketsOf(samples, name);
  if (counts.every((count) => count === 0)) return null;
  // Indexes give a logarithmic axis, because each bound is about ten times the previous one.
  const places = bounds.map((_bound, place) => place);
  return (
    <Panel title={title}>
      <Chart
        title={t("runsByTime")}
        tableLabel={t("asTable")}
        axisLabel={t("atMost")}
        axis={places}
        showAxis={(place) => (bounds[place] === undefined ? "" : t("milliseconds", { time: toMs(bounds[place]) }))}
        series={[{ label: t("runs"), values: counts }]}
      />
    </Panel>
  );
}

function MetricsTable({ samples }: { readonly samples: readonly Sample[] }) {
  const t = useMessages("settings");
  const [text, setText] = useState("");
  const shown = samples.filter(
    ({ labels, name }) => !name.endsWith("_bucket") && `${name} ${JSON.stringify(labels)}`.includes(text.trim()),
  );
  return (
    <Panel title={t("metrics")}>
      <TextInput type="search" value={text} onChange={setText} aria-label={t("searchMetrics")} placeholder={t("searchMetrics")} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll a wide table. */}
      <section class="grant-scroll" tabIndex={0} aria-label={t("metrics")}>
        <table class="table compact">
          <thead>
            <tr>
              <th scope="col">{t("metric")}</th>
              <th scope="col">{t("labels")}</th>
              <th scope="col">{t("value")}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ labels, name, value }) => (
              <tr key={name + JSON.stringify(labels)}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>
                  {Object.entries(labels)
                    .map(([label, said]) => `${label}=${said}`)
                    .join(", ")}
                </td>
                <td>{formatNumber(value, { maximumFractionDigits: 4 })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}
