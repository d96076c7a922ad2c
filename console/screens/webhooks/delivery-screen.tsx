import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, unwrap } from "../../app/api.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { Select } from "../../kit/field.js";
import { formatNumber, useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Empty, Failed, Loading, Panel, Screen } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { Badge, CopyButton, DateText, Facts, Id } from "../../kit/values.js";
import { resultKinds } from "./delivery-list.js";
import { expectNextAttempts } from "./retry-times.js";
import { AttemptFacts } from "./webhook-test.js";

/** One event: its payload, each attempt with the response, the next attempt, and a way to send it again. */
export function DeliveryScreen({ id }: { readonly id: string }) {
  const t = useMessages("deliveries");
  const { error, reload, value } = useLoad(
    async (signal) => unwrap(await api.webhookEventLogs.retrieve({ webhookEventLogId: id }, { signal })).webhookEventLog,
    [id],
  );
  return (
    <Screen
      title={value?.eventType ?? t("delivery")}
      crumbs={[{ label: t("deliveries"), href: "/deliveries" }]}
      actions={value && <Resend log={value} onDone={reload} />}
    >
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && (
        <>
          <Panel>
            <Facts rows={toRows(t, value)} />
          </Panel>
          <Attempts log={value} />
          <Panel title={t("request")} actions={<CopyButton text={JSON.stringify(value.event)} />}>
            <pre class="code">{JSON.stringify(value.event, null, 2)}</pre>
          </Panel>
        </>
      )}
    </Screen>
  );
}

type Log = NonNullable<Awaited<ReturnType<typeof retrieveLog>>>;

async function retrieveLog(webhookEventLogId: string) {
  return unwrap(await api.webhookEventLogs.retrieve({ webhookEventLogId })).webhookEventLog;
}

function toRows(t: ReturnType<typeof useMessages>, log: Log) {
  return [
    [
      t("result"),
      <Badge key="result" kind={resultKinds[log.eventResult]}>
        {t(`result.${log.eventResult}`)}
      </Badge>,
    ],
    [t("recorded"), <DateText key="recorded" value={log.insertInstant} exact />],
    [t("lastAttempt"), <DateText key="last" value={log.lastAttemptInstant} exact />],
    [t("failedAttempts"), formatNumber(log.failedAttempts)],
    [t("eventId"), <Id key="id" value={log.id} />],
    [t("about"), log.linkedObjectId === undefined ? undefined : <Id key="about" value={log.linkedObjectId} />],
  ] as const;
}

function Attempts({ log }: { readonly log: Log }) {
  const t = useMessages("deliveries");
  const attempts = log.attempts ?? [];
  const next = log.eventResult === "Running" ? [...expectNextAttempts(attempts)] : [];
  return (
    <Panel title={t("attempts")}>
      {attempts.length === 0 && <Empty title={t("noAttempts")} />}
      {next.map(([receiver, instant]) => (
        <p key={receiver} class="banner warn">
          <span>
            {t("nextRetry")} <Receiver id={receiver} />: <DateText value={instant} exact />{" "}
            <span class="faint">{t("usualDelays")}</span>
          </span>
        </p>
      ))}
      {attempts.toReversed().map((attempt, place) => (
        <details key={attempt.id} class="attempt" open={place === 0}>
          <summary>
            <Badge kind={attempt.attemptResult === "Success" ? "good" : "bad"}>{t(`attempt.${attempt.attemptResult}`)}</Badge>{" "}
            {t("attemptNumber", { number: attempts.length - place })} · <DateText value={attempt.startInstant} exact />
          </summary>
          <AttemptFacts attempt={attempt} label={t("result")} t={t} />
          <p>
            {t("receiver")}: <Receiver id={attempt.webhookId ?? ""} />
          </p>
        </details>
      ))}
    </Panel>
  );
}

function Receiver({ id }: { readonly id: string }) {
  const t = useMessages("deliveries");
  return id === "" ? (
    <>{t("broker")}</>
  ) : (
    <Link href={`/webhooks/${id}`}>
      {t("webhook")} {id.slice(0, 8)}
    </Link>
  );
}

function Resend({ log, onDone }: { readonly log: Log; onDone(): void }) {
  const t = useMessages("deliveries");
  const [isAsking, setAsking] = useState(false);
  const [webhookId, setWebhookId] = useState("");
  const receivers = [...new Set((log.attempts ?? []).flatMap((attempt) => attempt.webhookId ?? []))];
  const resend = async (auditReason: string | undefined): Promise<void> => {
    const to = webhookId === "" ? {} : { webhookId };
    unwrap(await api.webhookEventLogs.resend({ webhookEventLogId: log.id, ...to }, { auditReason }));
    notify(t("resent"));
    onDone();
  };
  const options = [
    { value: "", label: t("allReceivers") },
    ...receivers.map((id) => ({ value: id, label: `${t("webhook")} ${id.slice(0, 8)}` })),
  ];
  return (
    <>
      <button type="button" class="button primary" onClick={() => setAsking(true)}>
        {t("resend")}
      </button>
      {isAsking && (
        <DangerDialog
          title={t("resend")}
          confirmLabel={t("resend")}
          isDangerous={false}
          onConfirm={resend}
          onClose={() => setAsking(false)}
        >
          <p>{t("resendHint")}</p>
          <Select value={webhookId} options={options} onChange={setWebhookId} aria-label={t("receiver")} />
        </DangerDialog>
      )}
    </>
  );
}
