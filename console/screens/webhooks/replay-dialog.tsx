import { useState } from "preact/hooks";
import { api, sayError, unwrap } from "../../app/api.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { toLocal } from "../../kit/data-list/toolbar.js";
import { Field, Select, TextInput } from "../../kit/field.js";
import { formatNumber, useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { notify } from "../../kit/toast.js";

interface ReplayDialogProps {
  /** The criteria of the list that opened the dialog. */
  readonly criteria: Readonly<Record<string, string>>;
  onClose(): void;
}

/** Sends events since an instant again, by default the failed ones. A dry run counts them first. */
export function ReplayDialog({ criteria, onClose }: ReplayDialogProps) {
  const t = useMessages("deliveries");
  const [since, setSince] = useState(() => toLocal(Number(criteria["start"]) || Date.now() - 86_400_000));
  const [result, setResult] = useState(criteria["eventResult"] ?? "Failed");
  const search = { ...criteria, start: new Date(since).getTime(), ...(result === "" ? {} : { eventResult: result }) };
  const given = result === "" ? withoutResult(search) : search;
  const counted = useLoad(
    async () => unwrap(await api.webhookEventLogs.replay(toInput(given), { dryRun: true })).total,
    [JSON.stringify(given)],
  );
  const replay = async (auditReason: string | undefined): Promise<void> => {
    const { total } = unwrap(await api.webhookEventLogs.replay(toInput(given), { auditReason }));
    notify(t("replayed", { count: total, number: formatNumber(total) }));
  };
  const results = ["", "Failed", "Running", "Succeeded"].map((value) => ({
    value,
    label: t(value === "" ? "anyResult" : `result.${value}`),
  }));
  return (
    <DangerDialog title={t("replay")} confirmLabel={t("replay")} isDangerous={false} onConfirm={replay} onClose={onClose}>
      <p>{t("replayHint")}</p>
      <Field label={t("since")}>
        <TextInput type="datetime-local" value={since} onChange={setSince} />
      </Field>
      <Field label={t("result")}>
        <Select value={result} options={results} onChange={setResult} />
      </Field>
      <p class="banner warn" role="status">
        {counted.value === undefined ? sayError(counted.error ?? "…") : t("replayImpact", { count: counted.value })}
      </p>
    </DangerDialog>
  );
}

type Criteria = Readonly<Record<string, string | number>>;

function withoutResult(search: Criteria): Criteria {
  const { eventResult: _eventResult, ...others } = search;
  return others;
}

function toInput(search: Criteria) {
  return { search: { start: 0, ...search } } as Parameters<typeof api.webhookEventLogs.replay>[0];
}
