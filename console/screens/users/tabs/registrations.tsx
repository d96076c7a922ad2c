import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, unwrap } from "../../../app/api.js";
import { may } from "../../../app/session.js";
import { DangerDialog } from "../../../kit/danger-dialog.js";
import { useMessages } from "../../../kit/i18n.js";
import { Icon } from "../../../kit/icons.js";
import { RecordName } from "../../../kit/picker.js";
import { Empty, Panel } from "../../../kit/screen.js";
import { TableFrame } from "../../../kit/table-frame.js";
import { notify } from "../../../kit/toast.js";
import { Badge, DateText } from "../../../kit/values.js";
import type { User, UserTabProps } from "../user.js";
import { EffectiveAccess } from "./effective-access.js";

type Registration = User["registrations"][number];

/** The applications to which a user is registered, and the access of the user there. */
export function RegistrationsTab({ reload, user }: UserTabProps) {
  const t = useMessages("users");
  const [removed, setRemoved] = useState<Registration>();
  const add = may("POST", "/api/user/registration") && (
    <Link href={`/users/${user.id}/registrations/new`} class="button">
      <Icon name="plus" />
      {t("register")}
    </Link>
  );
  const remove = async (applicationId: string, auditReason: string | undefined): Promise<void> => {
    unwrap(await api.registrations.remove({ userId: user.id, applicationId }, { auditReason }));
    notify(t("unregistered"));
    reload();
  };
  return (
    <>
      <Panel title={t("registrations")} actions={add}>
        {user.registrations.length === 0 ? (
          <Empty title={t("noRegistrations")} />
        ) : (
          <RegistrationsTable user={user} onRemove={setRemoved} />
        )}
      </Panel>
      <EffectiveAccess user={user} />
      {removed !== undefined && (
        <DangerDialog
          title={t("unregister")}
          confirmLabel={t("unregister")}
          onConfirm={(reason) => remove(removed.applicationId, reason)}
          onClose={() => setRemoved(undefined)}
        >
          <p>{t("unregisterText")}</p>
        </DangerDialog>
      )}
    </>
  );
}

function RegistrationsTable({ onRemove, user }: { readonly user: User; onRemove(registration: Registration): void }) {
  const t = useMessages("users");
  return (
    <TableFrame label={t("registrations")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("application")}</th>
            <th scope="col">{t("roles")}</th>
            <th scope="col">{t("lastLogin")}</th>
            <th scope="col">{t("created")}</th>
            <th scope="col">
              <span class="unseen">{t("operations")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {user.registrations.map((registration) => (
            <tr key={registration.id}>
              <th scope="row">
                <Link href={`/users/${user.id}/registrations/${registration.applicationId}`}>
                  <RecordName family="application" id={registration.applicationId} />
                </Link>
              </th>
              <td class="row">
                {registration.roles.map((role) => (
                  <Badge key={role} kind="accent">
                    {role}
                  </Badge>
                ))}
              </td>
              <td>
                <DateText value={registration.lastLoginInstant} />
              </td>
              <td>
                <DateText value={registration.insertInstant} />
              </td>
              <td class="end">
                {may("DELETE", "/api/user/registration") && (
                  <button type="button" class="button small danger" onClick={() => onRemove(registration)}>
                    {t("unregister")}
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
