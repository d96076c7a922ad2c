import { useState } from "preact/hooks";
import { apiUrl, send } from "../../app/api.js";
import { go } from "../../app/tenant.js";
import { useAction } from "../../kit/danger-dialog.js";
import { Checkbox, Field, Select } from "../../kit/field.js";
import { formatNumber, useMessages } from "../../kit/i18n.js";
import { Failed, Panel, Screen } from "../../kit/screen.js";

/** Uploads a file of users. Default: a dry run. */
export default function ImportNew() {
  const t = useMessages("imports");
  const [file, setFile] = useState<File>();
  const [isDryRun, setDryRun] = useState(true);
  const [onDuplicate, setOnDuplicate] = useState("error");
  const [events, setEvents] = useState("bulk");
  const { error, isBusy, run } = useAction(async () => {
    if (file !== undefined) go(`/imports/${await upload(file, { onDuplicate, events, ...(isDryRun && { dryRun: "true" }) })}`);
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  const choices = (names: readonly string[]) => names.map((value) => ({ value, label: t(`choice.${value}`) }));
  return (
    <Screen title={t("new")} crumbs={[{ label: t("title"), href: "/imports" }]}>
      <form class="record-form" onSubmit={submit}>
        {error !== undefined && <Failed error={error} />}
        <Panel>
          <Field label={t("file")} hint={t("fileHint")} required>
            <input
              class="input"
              type="file"
              accept=".ndjson,.jsonl,.csv,text/csv"
              onChange={(event) => setFile(event.currentTarget.files?.[0])}
            />
          </Field>
          {file !== undefined && (
            <p class="faint">{t("size", { size: `${formatNumber(file.size / 1_000_000, { maximumFractionDigits: 2 })} MB` })}</p>
          )}
          <Checkbox checked={isDryRun} label={t("dryRunLabel")} hint={t("dryRunHint")} onChange={setDryRun} />
          <Field label={t("onDuplicate")}>
            <Select value={onDuplicate} options={choices(["error", "skip", "update"])} onChange={setOnDuplicate} />
          </Field>
          <Field label={t("events")} hint={t("eventsHint")}>
            <Select value={events} options={choices(["bulk", "single"])} onChange={setEvents} />
          </Field>
        </Panel>
        <div class="row">
          <button type="submit" class="button primary" disabled={file === undefined || isBusy}>
            {t(isBusy ? "uploading" : isDryRun ? "startDryRun" : "start")}
          </button>
        </div>
      </form>
    </Screen>
  );
}

async function upload(file: File, parameters: Readonly<Record<string, string>>): Promise<string> {
  const type = /\.csv$/i.test(file.name) ? "text/csv" : "application/x-ndjson";
  const path = `/api/user/import/job?${new URLSearchParams(parameters)}`;
  const response = await send(apiUrl(path), { method: "POST", headers: { "content-type": type }, body: file });
  const text = await response.text();
  if (!response.ok) throw new Error(sayProblem(text) ?? `${response.status}`);
  return JSON.parse(text).job.id;
}

function sayProblem(text: string): string | undefined {
  const messages = [...text.matchAll(/"message":"((?:[^"\\]|\\.)*)"/g)].map(([, message]) => JSON.parse(`"${message}"`));
  return messages.length === 0 ? undefined : messages.join(" ");
}
