import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import { useAction } from "../../kit/danger-dialog.js";
import { Dialog } from "../../kit/dialog.js";
import { Field, Select } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Picker } from "../../kit/picker.js";
import { Failed } from "../../kit/screen.js";

interface GrantDialogProps {
  readonly entityId: string;
  readonly entityTypeId: string;
  onClose(): void;
  onDone(): void;
}

/** Grants permissions on an entity to a user or another entity. */
export function GrantDialog({ entityId, entityTypeId, onClose, onDone }: GrantDialogProps) {
  const t = useMessages("entities");
  const common = useMessages("console");
  const [family, setFamily] = useState<"user" | "entity">("user");
  const [recipient, setRecipient] = useState("");
  const [permissions, setPermissions] = useState<readonly string[]>([]);
  const { value } = useLoad(
    async () => unwrap(await api.entityTypes.retrieve({ entityTypeId })).entityType.permissions,
    [entityTypeId],
  );
  const { error, isBusy, run } = useAction(async () => {
    const to = family === "user" ? { userId: recipient } : { recipientEntityId: recipient };
    unwrap(await api.entityGrants.upsert({ entityId, grant: { ...to, permissions: [...permissions] } }));
    onDone();
    onClose();
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  const toggle = (name: string): void =>
    setPermissions(permissions.includes(name) ? permissions.filter((one) => one !== name) : [...permissions, name]);
  const kinds = [
    { value: "user", label: t("toUser") },
    { value: "entity", label: t("toEntity") },
  ];
  const choose = (kind: string): void => {
    setFamily(kind === "entity" ? "entity" : "user");
    setRecipient("");
  };
  return (
    <Dialog title={t("newGrant")} onClose={onClose} size="small">
      <form class="stack" onSubmit={submit}>
        {error !== undefined && <Failed error={error} />}
        <Field label={t("recipientKind")}>
          <Select value={family} options={kinds} onChange={choose} />
        </Field>
        <Field label={t("recipient")}>
          <Picker key={family} family={family} value={recipient} onChange={(id) => setRecipient(id)} />
        </Field>
        <fieldset class="field choices">
          <legend>{t("permissions")}</legend>
          <p class="hint">{t("permissionsHint")}</p>
          {value?.map(({ id, name }) => (
            <label key={id} class="menu-item">
              <input type="checkbox" checked={permissions.includes(name)} onChange={() => toggle(name)} />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {common("cancel")}
          </button>
          <button type="submit" class="button primary" disabled={isBusy || recipient === ""}>
            {t("add")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
