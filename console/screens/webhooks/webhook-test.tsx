import { useState } from "preact/hooks";
import { api, sayFailure } from "../../app/api.js";
import { readDraft, writeDraft } from "../../kit/drafts.js";
import { Field, TextInput } from "../../kit/field.js";
import { formatNumber, type Translate, useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";
import { Badge, DateText, Facts } from "../../kit/values.js";

interface Attempt {
  readonly attemptResult: string;
  readonly startInstant: number;
  readonly endInstant: number;
  readonly webhookCallResponse: { readonly exception?: string; readonly statusCode?: number; readonly url?: string };
}

/** Sends the event `test` to a webhook. Keeps the typed message after each run and after a reload. */
export function WebhookTest({ webhookId }: { readonly webhookId: string }) {
  const t = useMessages("webhooks");
  const name = `webhook-test/${webhookId}`;
  const [message, setMessage] = useState(() => readDraft<string>(name) ?? t("testMessage"));
  const [runs, setRuns] = useState<readonly (Attempt | string)[]>([]);
  const [isBusy, setBusy] = useState(false);
  const change = (text: string): void => {
    setMessage(text);
    writeDraft(name, text);
  };
  const run = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const result = await api.webhooks.test({ webhookId, message });
    setRuns((before) => [result.ok ? result.value.webhookAttemptLog : sayFailure(result), ...before].slice(0, 10));
    setBusy(false);
  };
  return (
    <Panel title={t("test")}>
      <p class="hint">{t("testHint")}</p>
      <form class="inline-form" onSubmit={run}>
        <Field label={t("testPayload")}>
          <TextInput value={message} onChange={change} />
        </Field>
        <button type="submit" class="button primary" disabled={isBusy}>
          {t("sendTest")}
        </button>
      </form>
      <div aria-live="polite" class="stack">
        {runs.map((result, place) => (
          <TestResult key={runs.length - place} result={result} />
        ))}
      </div>
    </Panel>
  );
}

function TestResult({ result }: { readonly result: Attempt | string }) {
  const t = useMessages("webhooks");
  if (typeof result === "string") return <p class="banner bad">{result}</p>;
  return <AttemptFacts attempt={result} label={t("testResult")} t={t} />;
}

/** The result of one delivery attempt. */
export function AttemptFacts({
  attempt,
  label,
  t,
}: {
  readonly attempt: Attempt;
  readonly label: string;
  readonly t: Translate;
}) {
  const { attemptResult, endInstant, startInstant, webhookCallResponse: answer } = attempt;
  const isGood = attemptResult === "Success";
  const rows = [
    [
      label,
      <Badge key="result" kind={isGood ? "good" : "bad"}>
        {t(`attempt.${attemptResult}`)}
      </Badge>,
    ],
    [t("response"), answer.statusCode === undefined ? t("noAnswer") : `HTTP ${answer.statusCode}`],
    ...(answer.exception === undefined ? [] : [[t("reason"), answer.exception] as const]),
    ...(answer.url === undefined ? [] : [[t("url"), <code key="url">{answer.url}</code>] as const]),
    [t("began"), <DateText key="began" value={startInstant} exact />],
    [t("took"), t("milliseconds", { time: formatNumber(endInstant - startInstant) })],
  ] as const;
  return <Facts rows={rows} />;
}
