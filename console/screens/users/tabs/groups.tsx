import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, unwrap } from "../../../app/api.js";
import { may } from "../../../app/session.js";
import { useAction } from "../../../kit/danger-dialog.js";
import { useMessages } from "../../../kit/i18n.js";
import { Picker, RecordName } from "../../../kit/picker.js";
import { Empty, Failed, Panel } from "../../../kit/screen.js";
import { TableFrame } from "../../../kit/table-frame.js";
import { notify } from "../../../kit/toast.js";
import { DateText } from "../../../kit/values.js";
import type { User, UserTabProps } from "../user.js";

type Membership = User["memberships"][number];

/** The groups of a user. Joins and leaves groups, each with an undo. */
export function GroupsTab({ reload, user }: UserTabProps) {
  const t = useMessages("users");
  const [groupId, setGroupId] = useState("");
  const { error, isBusy, run } = useAction(async () => {
    unwrap(await api.groupMembers.add({ members: { [groupId]: [{ userId: user.id }] } }));
    setGroupId("");
    notify(t("joined"), { undo: () => leave(groupId) });
    reload();
  });
  const leave = async (id: string): Promise<void> => {
    unwrap(await api.groupMembers.remove({ groupId: id, userId: user.id }));
    reload();
  };
  const remove = async ({ data, groupId: id = "" }: Membership): Promise<void> => {
    await leave(id);
    const undo = async (): Promise<void> => {
      unwrap(await api.groupMembers.add({ members: { [id]: [{ userId: user.id, data }] } }));
      reload();
    };
    notify(t("left"), { undo });
  };
  return (
    <Panel title={t("groups")}>
      {may("POST", "/api/group/member") && (
        <div class="row">
          <div class="filter">
            <Picker family="group" value={groupId} onChange={setGroupId} aria-label={t("group")} placeholder={t("group")} />
          </div>
          <button type="button" class="button" disabled={groupId === "" || isBusy} onClick={run}>
            {t("join")}
          </button>
        </div>
      )}
      {error !== undefined && <Failed error={error} />}
      {user.memberships.length === 0 ? <Empty title={t("noGroups")} /> : <Memberships user={user} onRemove={remove} />}
    </Panel>
  );
}

function Memberships({ onRemove, user }: { readonly user: User; onRemove(membership: Membership): Promise<void> }) {
  const t = useMessages("users");
  return (
    <TableFrame label={t("groups")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("group")}</th>
            <th scope="col">{t("memberSince")}</th>
            <th scope="col">
              <span class="unseen">{t("operations")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {user.memberships.map((membership) => (
            <tr key={membership.id}>
              <th scope="row">
                <Link href={`/groups/${membership.groupId}`}>
                  <RecordName family="group" id={membership.groupId ?? ""} />
                </Link>
              </th>
              <td>
                <DateText value={membership.insertInstant} />
              </td>
              <td class="end">
                {may("DELETE", "/api/group/member") && (
                  <button type="button" class="button small" onClick={() => onRemove(membership)}>
                    {t("leave")}
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
