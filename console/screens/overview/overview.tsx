import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { api, unwrap } from "../../app/api.js";
import { tenantId } from "../../app/tenant.js";
import { formatNumber, useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { RecordName } from "../../kit/picker.js";
import { Empty, Failed, Loading, Panel, Screen } from "../../kit/screen.js";
import { TableFrame } from "../../kit/table-frame.js";
import { DateText } from "../../kit/values.js";
import { Activity } from "./activity.js";
import { sumOf } from "./metrics.js";
import { readMetrics } from "./read-metrics.js";

const day = 86_400_000;

/** The current activity: logins, failures, queued events, and failing webhooks. Tiles and panels link to their screens. */
export default function Overview() {
  const t = useMessages("overview");
  return (
    <Screen title={t("title")} subtitle={t("subtitle")}>
      <Totals />
      <Health />
      <Activity />
      <div class="columns">
        <RecentLogins />
        <RecentChanges />
      </div>
      <FailingWebhooks />
    </Screen>
  );
}

function Tile({
  children,
  href,
  kind = "",
  label,
}: {
  readonly label: string;
  readonly href: string;
  readonly kind?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <Link href={href} class={`tile ${kind}`}>
      <span class="tile-label">{label}</span>
      <span class="tile-value">{children}</span>
    </Link>
  );
}

function Totals() {
  const t = useMessages("overview");
  const { error, reload, value } = useLoad(async () => {
    const [users, logins, groups, applications] = await Promise.all([
      api.users.search({ search: { queryString: "*", numberOfResults: 0, tenantId: tenantId.value } }),
      api.loginRecords.search({ search: { start: Date.now() - day, numberOfResults: 0 } }),
      api.groups.search({ search: { numberOfResults: 0 } }),
      api.applications.search({ search: { numberOfResults: 0 } }),
    ]);
    return {
      users: unwrap(users).total,
      logins: unwrap(logins).total,
      groups: unwrap(groups).total,
      applications: unwrap(applications).total,
    };
  }, [tenantId.value]);
  if (error !== undefined) return <Failed error={error} onRetry={reload} />;
  const show = (count: number | undefined): string => (value === undefined || count === undefined ? "…" : formatNumber(count));
  return (
    <div class="tiles">
      <Tile label={t("users")} href="/users">
        {show(value?.users)}
      </Tile>
      <Tile label={t("logins")} href={`/logs/logins?start=${Date.now() - day}`}>
        {show(value?.logins)}
      </Tile>
      <Tile label={t("groups")} href="/groups">
        {show(value?.groups)}
      </Tile>
      <Tile label={t("applications")} href="/applications">
        {show(value?.applications)}
      </Tile>
    </div>
  );
}

function Health() {
  const t = useMessages("overview");
  const { error, reload, value } = useLoad(async (signal) => {
    const [samples, status] = await Promise.all([readMetrics(signal), api.system.status()]);
    return {
      failures: sumOf(
        samples,
        "latchkey_http_requests_total",
        ({ route, status: code }) => route === "/api/login" && /^4/.test(code ?? ""),
      ),
      queue: sumOf(samples, "latchkey_outbox_events"),
      delivered: sumOf(samples, "latchkey_event_deliveries_total", ({ outcome }) => outcome === "delivered"),
      failed: sumOf(samples, "latchkey_event_deliveries_total", ({ outcome }) => outcome === "failed"),
      startInstant: unwrap(status).startInstant,
    };
  }, []);
  if (error !== undefined) return <Failed error={error} onRetry={reload} />;
  if (value === undefined) return <Loading lines={2} />;
  return (
    <section aria-label={t("sinceStart")}>
      <p class="hint">
        {t("sinceStart")} <DateText value={value.startInstant} />
      </p>
      <div class="tiles">
        <Tile label={t("failures")} href="/deliveries?eventType=user.login.failed" kind={value.failures > 0 ? "bad" : "good"}>
          {formatNumber(value.failures)}
        </Tile>
        <Tile label={t("queue")} href="/system" kind={value.queue > 1_000 ? "bad" : "good"}>
          {formatNumber(value.queue)}
        </Tile>
        <Tile label={t("delivered")} href="/deliveries">
          {formatNumber(value.delivered)}
        </Tile>
        <Tile label={t("failedDeliveries")} href="/deliveries?eventResult=Running" kind={value.failed > 0 ? "bad" : "good"}>
          {formatNumber(value.failed)}
        </Tile>
      </div>
    </section>
  );
}

function RecentLogins() {
  const t = useMessages("overview");
  const { error, value } = useLoad(
    async () => unwrap(await api.loginRecords.search({ search: { numberOfResults: 8 } })).logins ?? [],
    [tenantId.value],
  );
  return (
    <Panel title={t("recentLogins")} actions={<Link href="/logs/logins">{t("all")}</Link>}>
      {error !== undefined && <Failed error={error} />}
      {value?.length === 0 && <Empty title={t("noLogins")} />}
      {value !== undefined && value.length > 0 && (
        <TableFrame label={t("recentLogins")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("user")}</th>
                <th scope="col">{t("application")}</th>
                <th scope="col">{t("when")}</th>
              </tr>
            </thead>
            <tbody>
              {value.map(({ applicationName, instant, loginId, userId }, index) => (
                <tr key={`${instant}-${index}`}>
                  <th scope="row">
                    <Link href={`/users/${userId}`}>{loginId ?? userId}</Link>
                  </th>
                  <td>{applicationName ?? "–"}</td>
                  <td>
                    <DateText value={instant} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Panel>
  );
}

function RecentChanges() {
  const t = useMessages("overview");
  const { error, value } = useLoad(
    async () => unwrap(await api.auditLogs.search({ search: { numberOfResults: 8 } })).auditLogs ?? [],
    [tenantId.value],
  );
  return (
    <Panel title={t("recentChanges")} actions={<Link href="/logs/audit">{t("all")}</Link>}>
      {error !== undefined && <Failed error={error} />}
      {value?.length === 0 && <Empty title={t("noChanges")} />}
      {value !== undefined && value.length > 0 && (
        <TableFrame label={t("recentChanges")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("what")}</th>
                <th scope="col">{t("when")}</th>
              </tr>
            </thead>
            <tbody>
              {value.map(({ id, insertInstant, message }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link href={`/logs/audit/${id}`}>{message}</Link>
                  </th>
                  <td>
                    <DateText value={insertInstant} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </Panel>
  );
}

function FailingWebhooks() {
  const t = useMessages("overview");
  const { value } = useLoad(async () => {
    const search = { eventResult: "Failed", numberOfResults: 20 } as const;
    return unwrap(await api.webhookEventLogs.search({ search })).webhookEventLogs ?? [];
  }, [tenantId.value]);
  if (value === undefined || value.length === 0) return null;
  return (
    <Panel title={t("failing")} actions={<Link href="/deliveries?eventResult=Failed">{t("all")}</Link>}>
      <TableFrame label={t("failing")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("event")}</th>
              <th scope="col">{t("tenant")}</th>
              <th scope="col">{t("when")}</th>
            </tr>
          </thead>
          <tbody>
            {value.map(({ event: { event }, id, insertInstant }) => (
              <tr key={id}>
                <th scope="row">
                  <Link href={`/deliveries/${id}`}>{event.type}</Link>
                </th>
                <td>{typeof event.tenantId === "string" ? <RecordName family="tenant" id={event.tenantId} /> : "–"}</td>
                <td>
                  <DateText value={insertInstant} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </Panel>
  );
}
