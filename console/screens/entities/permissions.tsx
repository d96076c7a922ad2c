import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { useAction } from "../../kit/danger-dialog.js";
import { TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Failed, Panel } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { Badge } from "../../kit/values.js";

interface Permission {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly description?: string | undefined;
}

/** Lists and edits the permissions that grants on entities of a type can contain. */
export function Permissions({
  entityTypeId,
  permissions,
  reload,
}: {
  readonly entityTypeId: string;
  readonly permissions: readonly Permission[];
  reload(): void;
}) {
  const t = useMessages("entities");
  const [name, setName] = useState("");
  const { error, isBusy, run } = useAction(async () => {
    unwrap(await api.entityTypePermissions.create({ entityTypeId, permission: { name } }));
    setName("");
    reload();
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  const remove = async (permission: Permission): Promise<void> => {
    unwrap(await api.entityTypePermissions.remove({ entityTypeId, permissionId: permission.id }));
    const { description, id: permissionId, isDefault } = permission;
    const undo = async (): Promise<void> => {
      unwrap(
        await api.entityTypePermissions.create({
          entityTypeId,
          permissionId,
          permission: { name: permission.name, isDefault, description },
        }),
      );
      reload();
    };
    notify(t("permissionRemoved"), { undo });
    reload();
  };
  return (
    <Panel title={t("permissions")}>
      {error !== undefined && <Failed error={error} />}
      <ul class="stack">
        {permissions.map((permission) => (
          <li key={permission.id} class="row">
            <strong>{permission.name}</strong>
            {permission.isDefault && <Badge>{t("default")}</Badge>}
            <span class="faint">{permission.description}</span>
            {may("DELETE", "/api/entity/type/permission") && (
              <button type="button" class="button small" onClick={() => remove(permission)}>
                {t("removePermission", { name: permission.name })}
              </button>
            )}
          </li>
        ))}
      </ul>
      {may("POST", "/api/entity/type/permission") && (
        <form class="row" onSubmit={submit}>
          <div class="filter">
            <TextInput value={name} onChange={setName} aria-label={t("newPermission")} placeholder={t("newPermission")} />
          </div>
          <button type="submit" class="button" disabled={isBusy || name.trim() === ""}>
            {t("add")}
          </button>
        </form>
      )}
    </Panel>
  );
}
