import { useState } from "preact/hooks";
import { api, unwrap } from "../../../app/api.js";
import { may, session } from "../../../app/session.js";
import { useAction } from "../../../kit/danger-dialog.js";
import { toLocal } from "../../../kit/data-list/toolbar.js";
import { Dialog } from "../../../kit/dialog.js";
import { Field, Select, TextArea, TextInput } from "../../../kit/field.js";
import { useMessages } from "../../../kit/i18n.js";
import { useLoad } from "../../../kit/load.js";
import { RecordName } from "../../../kit/picker.js";
import { Empty, Failed, Loading, Panel } from "../../../kit/screen.js";
import { TableFrame } from "../../../kit/table-frame.js";
import { notify } from "../../../kit/toast.js";
import { Badge, DateText } from "../../../kit/values.js";
import type { UserTabProps } from "../user.js";
import { Comments } from "./comments.js";

const never = 2 ** 63;

/** The actions that moderators took on a user, and their comments. */
export function ActionsTab({ user }: UserTabProps) {
  const t = useMessages("users");
  const [isTaking, setTaking] = useState(false);
  const { error, reload, value } = useLoad(
    async () => unwrap(await api.userActionLogs.list({ userId: user.id })).actions ?? [],
    [user.id],
  );
  const end = async (actionId: string): Promise<void> => {
    unwrap(await api.userActionLogs.remove({ actionId, action: { actionerUserId: session.value?.user.id ?? "" } }));
    notify(t("actionEnded"));
    reload();
  };
  const actions = may("POST", "/api/user/action") && (
    <button type="button" class="button" onClick={() => setTaking(true)}>
      {t("takeAction")}
    </button>
  );
  return (
    <>
      <Panel title={t("actions")} actions={actions}>
        {error !== undefined && <Failed error={error} onRetry={reload} />}
        {value === undefined && error === undefined && <Loading lines={2} />}
        {value?.length === 0 && <Empty title={t("noActions")} />}
        {value !== undefined && value.length > 0 && (
          <TableFrame label={t("actions")}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t("action")}</th>
                  <th scope="col">{t("comment")}</th>
                  <th scope="col">{t("by")}</th>
                  <th scope="col">{t("until")}</th>
                  <th scope="col">
                    <span class="unseen">{t("operations")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {value.map((action) => (
                  <tr key={action.id}>
                    <th scope="row">
                      {action.name} {action.option !== undefined && <Badge>{action.option}</Badge>}
                    </th>
                    <td>{[action.reason, action.comment].filter(Boolean).join(": ") || "–"}</td>
                    <td>
                      {action.actionerUserId === undefined ? (
                        t("automatic")
                      ) : (
                        <RecordName family="user" id={action.actionerUserId} />
                      )}
                    </td>
                    <td>{(action.expiry ?? 0) >= never ? t("never") : <DateText value={action.expiry} exact />}</td>
                    <td class="end">
                      {(action.expiry ?? 0) > Date.now() && may("DELETE", "/api/user/action") && (
                        <button type="button" class="button small" onClick={() => end(action.id)}>
                          {t("endAction")}
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableFrame>
        )}
      </Panel>
      <Comments userId={user.id} />
      {isTaking && <TakeAction userId={user.id} onClose={() => setTaking(false)} onDone={reload} />}
    </>
  );
}

function TakeAction({ onClose, onDone, userId }: { readonly userId: string; onClose(): void; onDone(): void }) {
  const t = useMessages("users");
  const common = useMessages("console");
  const [userActionId, setUserActionId] = useState("");
  const [comment, setComment] = useState("");
  const [expiry, setExpiry] = useState<number>(() => Date.now() + 86_400_000);
  const { value = [] } = useLoad(async () => unwrap(await api.userActions.list({})).userActions ?? [], []);
  const isTemporal = value.find(({ id }) => id === userActionId)?.temporal === true;
  const { error, isBusy, run } = useAction(async () => {
    const actionerUserId = session.value?.user.id ?? "";
    const action = { actioneeUserId: userId, actionerUserId, userActionId, comment, ...(isTemporal && { expiry }) };
    unwrap(await api.userActionLogs.create({ action }));
    onDone();
    onClose();
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  const options = [{ value: "", label: "–" }, ...value.map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <Dialog title={t("takeAction")} onClose={onClose} size="small">
      <form class="stack" onSubmit={submit}>
        {error !== undefined && <Failed error={error} />}
        <Field label={t("action")} hint={t("actionHint")}>
          <Select value={userActionId} options={options} onChange={setUserActionId} />
        </Field>
        {isTemporal && (
          <Field label={t("until")}>
            <TextInput type="datetime-local" value={toLocal(expiry)} onChange={(text) => setExpiry(new Date(text).getTime())} />
          </Field>
        )}
        <Field label={t("comment")}>
          <TextArea value={comment} onChange={setComment} rows={3} />
        </Field>
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {common("cancel")}
          </button>
          <button type="submit" class="button primary" disabled={userActionId === "" || isBusy}>
            {t("takeAction")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
