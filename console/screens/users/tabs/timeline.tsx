import { Link } from "wouter-preact";
import { api, sayError, unwrap } from "../../../app/api.js";
import { useMessages } from "../../../kit/i18n.js";
import { useLoad } from "../../../kit/load.js";
import { Empty, Loading, Panel } from "../../../kit/screen.js";
import { TableFrame } from "../../../kit/table-frame.js";
import { Badge, DateText } from "../../../kit/values.js";
import type { UserTabProps } from "../user.js";

interface Entry {
  readonly key: string;
  readonly instant: number;
  readonly kind: "login" | "audit" | "event";
  readonly text: string;
  readonly by: string | undefined;
  readonly href: string | undefined;
}

const page = { numberOfResults: 50 };

/** The history of a user: logins, changes by administrators, and delivered events. */
export function TimelineTab({ user: { id } }: UserTabProps) {
  const t = useMessages("users");
  const { value } = useLoad(() => readTimeline(id), [id]);
  return (
    <Panel title={t("timeline")}>
      {value === undefined && <Loading />}
      {value?.problems.map((problem) => (
        <p key={problem} class="banner warn">
          {problem}
        </p>
      ))}
      {value?.entries.length === 0 && <Empty title={t("noTimeline")} />}
      {value !== undefined && value.entries.length > 0 && (
        <TableFrame label={t("timeline")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("when")}</th>
                <th scope="col">{t("kind")}</th>
                <th scope="col">{t("what")}</th>
                <th scope="col">{t("by")}</th>
              </tr>
            </thead>
            <tbody>
              {value.entries.map(({ by, href, instant, key, kind, text }) => (
                <tr key={key}>
                  <td>
                    <DateText value={instant} exact />
                  </td>
                  <td>
                    <Badge kind={kind === "audit" ? "accent" : kind === "login" ? "good" : "neutral"}>
                      {t(`timeline.${kind}`)}
                    </Badge>
                  </td>
                  <td>{href === undefined ? text : <Link href={href}>{text}</Link>}</td>
                  <td>{by ?? "–"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
      <p class="hint">{t("timelineText", { count: page.numberOfResults })}</p>
    </Panel>
  );
}

async function readTimeline(
  userId: string,
): Promise<{ readonly entries: readonly Entry[]; readonly problems: readonly string[] }> {
  const found = await Promise.allSettled([readLogins(userId), readAudit(userId), readEvents(userId)]);
  const entries = found.flatMap((part) => (part.status === "fulfilled" ? part.value : []));
  const problems = found.flatMap((part) => (part.status === "rejected" ? [sayError(part.reason)] : []));
  return { entries: entries.sort((a, b) => b.instant - a.instant), problems };
}

async function readLogins(userId: string): Promise<readonly Entry[]> {
  const { logins = [] } = unwrap(await api.loginRecords.search({ search: { ...page, userId } }));
  return logins.map(({ applicationName, instant, ipAddress }, index) => ({
    key: `login-${instant}-${index}`,
    instant,
    kind: "login",
    text: [applicationName, ipAddress].filter(Boolean).join(" · ") || "–",
    by: undefined,
    href: undefined,
  }));
}

async function readAudit(userId: string): Promise<readonly Entry[]> {
  const { auditLogs = [] } = unwrap(await api.auditLogs.search({ search: { ...page, newValue: userId } }));
  return auditLogs.map(({ id, insertInstant, insertUser, message, reason }) => ({
    key: `audit-${id}`,
    instant: insertInstant,
    kind: "audit",
    text: reason === undefined ? message : `${message} (${reason})`,
    by: insertUser,
    href: `/logs/audit/${id}`,
  }));
}

async function readEvents(userId: string): Promise<readonly Entry[]> {
  const { webhookEventLogs = [] } = unwrap(await api.webhookEventLogs.search({ search: { ...page, event: userId } }));
  return webhookEventLogs.map(({ event, eventResult, id, insertInstant }) => ({
    key: `event-${id}`,
    instant: insertInstant,
    kind: "event",
    text: `${event.event.type} · ${eventResult}`,
    by: undefined,
    href: `/deliveries/${id}`,
  }));
}
