import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { sayError } from "../app/api.js";
import { Dialog } from "./dialog.js";
import { Field, TextInput } from "./field.js";
import { useMessages } from "./i18n.js";

/** Props of the confirmation of a change that cannot be undone or that affects other people. */
export interface DangerDialogProps {
  readonly title: string;
  /** The consequences, in one sentence. */
  readonly children?: ComponentChildren;
  /** The name that the person must type to confirm; undefined for none. */
  readonly name?: string | undefined;
  /** Describes the affected records or people, by a dry run. */
  readonly impact?: (() => Promise<ComponentChildren>) | undefined;
  readonly confirmLabel: string;
  /** Whether the dialog asks for an audit log reason. Default: true. */
  readonly asksReason?: boolean;
  readonly isDangerous?: boolean;
  /** Makes the change. The dialog shows its error. */
  onConfirm(reason: string | undefined): Promise<unknown>;
  onClose(): void;
}

/** Asks for confirmation of a dangerous change. Shows its impact, and asks for the typed name and an audit log reason. */
export function DangerDialog(props: DangerDialogProps) {
  const { asksReason = true, children, confirmLabel, isDangerous = true, name, onClose, onConfirm, title } = props;
  const t = useMessages("console");
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const { error, isBusy, run } = useAction(async () => {
    await onConfirm(reason.trim() || undefined);
    onClose();
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    if (name === undefined || typed.trim() === name) run();
  };
  return (
    <Dialog title={title} onClose={onClose} size="small">
      <form onSubmit={submit} class="stack">
        {children}
        <Impact impact={props.impact} />
        {name !== undefined && (
          <Field label={t("typeName", { name })}>
            <TextInput value={typed} onChange={setTyped} autocomplete="off" spellcheck={false} />
          </Field>
        )}
        {asksReason && (
          <Field label={t("reason")} hint={t("reasonHint")}>
            <TextInput value={reason} onChange={setReason} maxLength={1_000} />
          </Field>
        )}
        {error !== undefined && (
          <p class="error" role="alert">
            {sayError(error)}
          </p>
        )}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t("cancel")}
          </button>
          <button
            type="submit"
            class={`button ${isDangerous ? "danger" : "primary"}`}
            disabled={isBusy || (name !== undefined && typed.trim() !== name)}
          >
            {confirmLabel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Impact({ impact }: { readonly impact: DangerDialogProps["impact"] }) {
  const t = useMessages("console");
  const [said, setSaid] = useState<ComponentChildren>(undefined);
  useEffect(() => {
    impact?.().then(setSaid, (error: unknown) => setSaid(sayError(error)));
  }, []);
  if (impact === undefined) return null;
  return (
    <p class="banner warn" role="status">
      {said ?? t("counting")}
    </p>
  );
}

/** The state of a button's action: whether it runs, and the error of its last run. */
export function useAction(act: () => Promise<unknown>): {
  readonly isBusy: boolean;
  readonly error: unknown;
  run(): void;
} {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({ isBusy: false });
  const run = (): void => {
    setState({ isBusy: true });
    act().then(
      () => setState({ isBusy: false }),
      (error: unknown) => setState({ isBusy: false, error }),
    );
  };
  return { isBusy: state.isBusy, error: state.error, run };
}
