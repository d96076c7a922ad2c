import { useState } from "preact/hooks";
import { api, type ItemOf, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { useAction } from "../../kit/danger-dialog.js";
import { DataList, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { nameOfUser } from "../../kit/pickable.js";
import { Picker } from "../../kit/picker.js";
import { Failed } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { DateText } from "../../kit/values.js";
import { PasteDialog } from "./paste-dialog.js";

type Member = ItemOf<Pick<Awaited<ReturnType<typeof loadMembers>>, "rows">>;

/** The members of a group. Adds them one by one or as a list of ids, and removes them with an undo. */
export function Members({ groupId }: { readonly groupId: string }) {
  const t = useMessages("groups");
  const [version, setVersion] = useState(0);
  const [userId, setUserId] = useState("");
  const [isPasting, setPasting] = useState(false);
  const changed = (): void => setVersion((before) => before + 1);
  const { error, isBusy, run } = useAction(async () => {
    unwrap(await api.groupMembers.add({ members: { [groupId]: [{ userId }] } }));
    setUserId("");
    notify(t("added"));
    changed();
  });
  const remove = async ({ data, userId: id }: Member): Promise<void> => {
    unwrap(await api.groupMembers.remove({ groupId, userId: id }));
    const undo = async (): Promise<void> => {
      unwrap(await api.groupMembers.add({ members: { [groupId]: [{ userId: id, data }] } }));
      changed();
    };
    notify(t("memberRemoved"), { undo });
    changed();
  };
  return (
    <>
      {may("POST", "/api/group/member") && (
        <div class="row">
          <div class="filter">
            <Picker family="user" value={userId} onChange={setUserId} aria-label={t("user")} placeholder={t("user")} />
          </div>
          <button type="button" class="button" disabled={userId === "" || isBusy} onClick={run}>
            {t("add")}
          </button>
          <button type="button" class="button" onClick={() => setPasting(true)}>
            {t("paste")}
          </button>
        </div>
      )}
      {error !== undefined && <Failed error={error} />}
      <DataList
        name="members"
        label={t("members")}
        columns={toColumns(t, may("DELETE", "/api/group/member") ? remove : undefined)}
        load={(page) => loadMembers(groupId, page)}
        rowKey={({ id }) => id}
        rowHref={(member) => `/users/${member.userId}`}
        version={version}
      />
      {isPasting && <PasteDialog groupId={groupId} onClose={() => setPasting(false)} onDone={changed} />}
    </>
  );
}

async function loadMembers(groupId: string, { nextResults, numberOfResults, orderBy, signal }: ListPage) {
  const search = { groupId, numberOfResults, orderBy, nextResults };
  const { members = [], nextResults: next, total } = unwrap(await api.groupMembers.search({ search }, { signal }));
  const ids = members.map(({ userId }) => userId);
  const users =
    ids.length === 0
      ? []
      : (unwrap(await api.users.search({ search: { ids, numberOfResults: ids.length } }, { signal })).users ?? []);
  const names = new Map(users.map((user) => [user.id, nameOfUser(user)]));
  const rows = members.map((member) => ({ ...member, name: names.get(member.userId) ?? member.userId }));
  return { rows, total, nextResults: next };
}

function toColumns(t: Translate, onRemove: ((member: Member) => Promise<void>) | undefined) {
  return [
    { id: "user", label: t("user"), cell: ({ name }: Member) => name },
    {
      id: "since",
      label: t("since"),
      sort: "insertInstant",
      cell: ({ insertInstant }: Member) => <DateText value={insertInstant} />,
    },
    {
      id: "operations",
      label: t("operations"),
      align: "end" as const,
      cell: (member: Member) =>
        onRemove && (
          <button type="button" class="button small" onClick={() => onRemove(member)}>
            {t("removeMember")}
          </button>
        ),
    },
  ];
}
