import { useState } from "preact/hooks";
import { type ClientCallOptions, type Result, unwrap } from "../../app/api.js";
import { go } from "../../app/tenant.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { useMessages } from "../../kit/i18n.js";
import { notify } from "../../kit/toast.js";

interface RemoveButtonProps {
  /** The name of the record, which the person types to confirm. */
  readonly name: string;
  /** The path of the screen to show after the removal. */
  readonly back: string;
  /** The consequences beyond the removal itself, shown before the confirmation. Default: it cannot be undone. */
  readonly impact?: string;
  remove(options: ClientCallOptions): Promise<Result<unknown>>;
}

/** Removes a record after a confirmation, which requires a successful dry run. */
export function RemoveButton({ back, impact, name, remove }: RemoveButtonProps) {
  const t = useMessages("records");
  const [isOpen, setOpen] = useState(false);
  const sayImpact = async (): Promise<string> => {
    unwrap(await remove({ dryRun: true }));
    return impact ?? t("removeImpact");
  };
  const confirm = async (auditReason: string | undefined): Promise<void> => {
    unwrap(await remove({ auditReason }));
    notify(t("removed", { name }));
    go(back);
  };
  return (
    <>
      <button type="button" class="button danger" onClick={() => setOpen(true)}>
        {t("remove")}
      </button>
      {isOpen && (
        <DangerDialog
          title={t("removeTitle", { name })}
          name={name}
          impact={sayImpact}
          confirmLabel={t("remove")}
          onConfirm={confirm}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
