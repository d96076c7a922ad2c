import { useRef, useState } from "preact/hooks";
import { sayError } from "../../../app/api.js";
import type { Selection } from "../../../kit/data-list/index.js";
import { Dialog } from "../../../kit/dialog.js";
import { Field, TextInput } from "../../../kit/field.js";
import { useMessages } from "../../../kit/i18n.js";
import { useLoad } from "../../../kit/load.js";
import type { nameOfUser } from "../../../kit/pickable.js";
import { Picker } from "../../../kit/picker.js";
import { saveFile } from "../export-button.js";
import { type BulkAction, collect, countAffected, type Outcome, run, type Target } from "./run.js";

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly selection: Selection<Parameters<typeof nameOfUser>[0]>;
  onClose(isDone: boolean): void;
}

/** Counts the affected users by a dry run, asks for confirmation, shows progress, and reports the result of each user. */
export function BulkDialog({ action, onClose, selection }: BulkDialogProps) {
  const t = useMessages("users");
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>();
  const [isRunning, setRunning] = useState(false);
  const stopped = useRef(false);
  const { error, value } = useLoad(async () => {
    const targets = await collect(selection, () => undefined);
    return { targets, count: await countAffected(targets, { action, groupId: "", reason: undefined }) };
  }, []);
  const start = async (targets: readonly Target[], groupId: string, reason: string | undefined): Promise<void> => {
    setRunning(true);
    let all: readonly Outcome[] = [];
    for await (const batch of run(targets, { action, groupId, reason }, () => stopped.current)) {
      all = [...all, ...batch];
      setOutcomes(all);
    }
    setRunning(false);
  };
  const close = (): void => {
    stopped.current = true;
    onClose(outcomes !== undefined);
  };
  return (
    <Dialog title={t(`bulk.${action}`)} onClose={close}>
      <div class="stack">
        {error !== undefined && <p class="banner bad">{sayError(error)}</p>}
        {value === undefined && error === undefined && <p role="status">{t("bulk.counting")}</p>}
        {value !== undefined && outcomes === undefined && !isRunning && (
          <Ask
            action={action}
            count={value.count}
            onCancel={close}
            onStart={(groupId, reason) => start(value.targets, groupId, reason)}
          />
        )}
        {value !== undefined && (outcomes !== undefined || isRunning) && (
          <Progress
            total={value.targets.length}
            outcomes={outcomes ?? []}
            isRunning={isRunning}
            onStop={() => (stopped.current = true)}
            onClose={close}
          />
        )}
      </div>
    </Dialog>
  );
}

function Ask({
  action,
  count,
  onCancel,
  onStart,
}: {
  readonly action: BulkAction;
  readonly count: number;
  onCancel(): void;
  onStart(groupId: string, reason: string | undefined): void;
}) {
  const t = useMessages("users");
  const common = useMessages("console");
  const [groupId, setGroupId] = useState("");
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const isDangerous = action === "remove";
  const isReady = (action !== "addToGroup" || groupId !== "") && (!isDangerous || typed.trim() === String(count));
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isReady) onStart(groupId, reason.trim() || undefined);
  };
  return (
    <form class="stack" onSubmit={submit}>
      <p class={`banner${isDangerous ? " bad" : " warn"}`}>{t(`bulk.${action}.text`, { count })}</p>
      {action === "addToGroup" && (
        <Field label={t("group")}>
          <Picker family="group" value={groupId} onChange={setGroupId} />
        </Field>
      )}
      {isDangerous && (
        <Field label={common("typeName", { name: String(count) })}>
          <TextInput value={typed} onChange={setTyped} inputmode="numeric" autocomplete="off" />
        </Field>
      )}
      <Field label={common("reason")} hint={common("reasonHint")}>
        <TextInput value={reason} onChange={setReason} maxLength={1_000} />
      </Field>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onCancel}>
          {common("cancel")}
        </button>
        <button type="submit" class={`button ${isDangerous ? "danger" : "primary"}`} disabled={!isReady || count === 0}>
          {t(`bulk.${action}`)}
        </button>
      </div>
    </form>
  );
}

function Progress({
  isRunning,
  onClose,
  onStop,
  outcomes,
  total,
}: {
  readonly total: number;
  readonly outcomes: readonly Outcome[];
  readonly isRunning: boolean;
  onStop(): void;
  onClose(): void;
}) {
  const t = useMessages("users");
  const common = useMessages("console");
  const failed = outcomes.filter(({ isDone }) => !isDone);
  const save = (): void => {
    const lines = outcomes.map(({ id, isDone, message, name }) => JSON.stringify({ id, name, done: isDone, message }));
    saveFile(new Blob([`${lines.join("\n")}\n`]), "results.ndjson");
  };
  return (
    <>
      <progress value={outcomes.length} max={total} aria-label={t("bulk.progress")} />
      <p role="status">{t("bulk.done", { count: outcomes.length - failed.length, total, failed: failed.length })}</p>
      {failed.length > 0 && (
        <ul class="stack">
          {failed.slice(0, 50).map(({ id, message, name }) => (
            <li key={id}>
              <strong>{name}</strong>: <span class="error">{message ?? t("bulk.unaffected")}</span>
            </li>
          ))}
        </ul>
      )}
      <div class="dialog-foot">
        <button type="button" class="button" disabled={outcomes.length === 0} onClick={save}>
          {t("bulk.save")}
        </button>
        <button type="button" class="button primary" onClick={isRunning ? onStop : onClose}>
          {isRunning ? t("bulk.stop") : common("close")}
        </button>
      </div>
    </>
  );
}
