import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { DangerDialog, useAction } from "../../kit/danger-dialog.js";
import { Dialog } from "../../kit/dialog.js";
import { Checkbox, Field, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { Empty, Failed, Panel } from "../../kit/screen.js";
import { TableFrame } from "../../kit/table-frame.js";
import { notify } from "../../kit/toast.js";
import { Badge, Id } from "../../kit/values.js";
import type { Application } from "./application.js";

type Role = Application["roles"][number];

/** Lists and edits the roles of an application. */
export function Roles({ application, reload }: { readonly application: Application; reload(): void }) {
  const t = useMessages("applications");
  const [edited, setEdited] = useState<Role | "new">();
  const [removed, setRemoved] = useState<Role>();
  const add = may("POST", "/api/application/role") && (
    <button type="button" class="button" onClick={() => setEdited("new")}>
      <Icon name="plus" />
      {t("newRole")}
    </button>
  );
  const remove = async (role: Role, auditReason: string | undefined): Promise<void> => {
    unwrap(await api.applicationRoles.remove({ applicationId: application.id, roleId: role.id }, { auditReason }));
    const { description, isDefault, isSuperRole, name } = role;
    const undo = async (): Promise<void> => {
      const again = { name, description, isDefault, isSuperRole };
      unwrap(await api.applicationRoles.create({ applicationId: application.id, roleId: role.id, role: again }));
      reload();
    };
    notify(t("roleRemoved"), { undo });
    reload();
  };
  const impact = async (role: Role): Promise<string> => {
    unwrap(await api.applicationRoles.remove({ applicationId: application.id, roleId: role.id }, { dryRun: true }));
    const queryString = `registrations.applicationId:${application.id} AND registrations.roles:"${role.name.replace(/["\\]/g, "")}"`;
    return t("roleImpact", { count: unwrap(await api.users.search({ search: { queryString, numberOfResults: 0 } })).total });
  };
  return (
    <Panel title={t("roles")} actions={add}>
      {application.roles.length === 0 ? (
        <Empty title={t("noRoles")} />
      ) : (
        <RolesTable roles={application.roles} onEdit={setEdited} onRemove={setRemoved} />
      )}
      {edited !== undefined && (
        <RoleDialog
          applicationId={application.id}
          role={edited === "new" ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onDone={reload}
        />
      )}
      {removed !== undefined && (
        <DangerDialog
          title={t("removeRole")}
          name={removed.name}
          impact={() => impact(removed)}
          confirmLabel={t("removeRole")}
          onConfirm={(reason) => remove(removed, reason)}
          onClose={() => setRemoved(undefined)}
        >
          <p>{t("removeRoleText")}</p>
        </DangerDialog>
      )}
    </Panel>
  );
}

function RolesTable({
  onEdit,
  onRemove,
  roles,
}: {
  readonly roles: readonly Role[];
  onEdit(role: Role): void;
  onRemove(role: Role): void;
}) {
  const t = useMessages("applications");
  return (
    <TableFrame label={t("roles")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("name")}</th>
            <th scope="col">{t("description")}</th>
            <th scope="col">ID</th>
            <th scope="col">
              <span class="unseen">{t("operations")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {roles.map((role) => (
            <tr key={role.id}>
              <th scope="row">
                {role.name} {role.isDefault && <Badge>{t("default")}</Badge>}{" "}
                {role.isSuperRole && <Badge kind="accent">{t("superRole")}</Badge>}
              </th>
              <td>{role.description ?? "–"}</td>
              <td>
                <Id value={role.id} />
              </td>
              <td class="end">
                {may("PATCH", "/api/application/role") && (
                  <button
                    type="button"
                    class="button small"
                    onClick={() => onEdit(role)}
                    aria-label={t("editRole", { name: role.name })}
                  >
                    {t("edit")}
                  </button>
                )}{" "}
                {may("DELETE", "/api/application/role") && (
                  <button type="button" class="button small danger" onClick={() => onRemove(role)}>
                    {t("removeRole")}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

interface RoleDialogProps {
  readonly applicationId: string;
  readonly role: Role | undefined;
  onClose(): void;
  onDone(): void;
}

function RoleDialog({ applicationId, onClose, onDone, role }: RoleDialogProps) {
  const t = useMessages("applications");
  const common = useMessages("console");
  const [name, setName] = useState(role?.name ?? "");
  const [description, setDescription] = useState(role?.description ?? "");
  const [isDefault, setDefault] = useState(role?.isDefault ?? false);
  const [isSuperRole, setSuper] = useState(role?.isSuperRole ?? false);
  const { error, isBusy, run } = useAction(async () => {
    const written = { name, isDefault, isSuperRole, ...(description && { description }) };
    const patch = { role: { ...written, description: description || null } };
    if (role === undefined) unwrap(await api.applicationRoles.create({ applicationId, role: written }));
    else unwrap(await api.applicationRoles.patch({ applicationId, roleId: role.id, patch, mode: "merge" }));
    notify(common("saved"));
    onDone();
    onClose();
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  return (
    <Dialog title={role === undefined ? t("newRole") : t("editRole", { name: role.name })} onClose={onClose} size="small">
      <form class="stack" onSubmit={submit}>
        {error !== undefined && <Failed error={error} />}
        <Field label={t("name")} required>
          <TextInput value={name} onChange={setName} maxLength={191} />
        </Field>
        <Field label={t("description")}>
          <TextInput value={description} onChange={setDescription} />
        </Field>
        <Checkbox checked={isDefault} label={t("default")} hint={t("defaultHint")} onChange={setDefault} />
        <Checkbox checked={isSuperRole} label={t("superRole")} hint={t("superRoleHint")} onChange={setSuper} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {common("cancel")}
          </button>
          <button type="submit" class="button primary" disabled={isBusy || name.trim() === ""}>
            {common("save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
