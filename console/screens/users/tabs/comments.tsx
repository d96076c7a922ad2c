import { useState } from "preact/hooks";
import { api, unwrap } from "../../../app/api.js";
import { may, session } from "../../../app/session.js";
import { useAction } from "../../../kit/danger-dialog.js";
import { Field, TextArea } from "../../../kit/field.js";
import { useMessages } from "../../../kit/i18n.js";
import { useLoad } from "../../../kit/load.js";
import { RecordName } from "../../../kit/picker.js";
import { Failed, Panel } from "../../../kit/screen.js";
import { DateText } from "../../../kit/values.js";

/** The comments of administrators about a user. */
export function Comments({ userId }: { readonly userId: string }) {
  const t = useMessages("users");
  const [comment, setComment] = useState("");
  const { reload, value = [] } = useLoad(
    async () => unwrap(await api.userComments.list({ userId })).userComments ?? [],
    [userId],
  );
  const { error, isBusy, run } = useAction(async () => {
    const commenterId = session.value?.user.id ?? "";
    unwrap(await api.userComments.create({ userComment: { userId, commenterId, comment } }));
    setComment("");
    reload();
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  return (
    <Panel title={t("comments")}>
      {value.map((one) => (
        <div key={one.id}>
          <p>{one.comment}</p>
          <p class="faint">
            <RecordName family="user" id={one.commenterId} /> · <DateText value={one.insertInstant} />
          </p>
        </div>
      ))}
      {may("POST", "/api/user/comment") && (
        <form class="stack" onSubmit={submit}>
          {error !== undefined && <Failed error={error} />}
          <Field label={t("newComment")}>
            <TextArea value={comment} onChange={setComment} rows={2} />
          </Field>
          <div class="row">
            <button type="submit" class="button" disabled={comment.trim() === "" || isBusy}>
              {t("writeComment")}
            </button>
          </div>
        </form>
      )}
    </Panel>
  );
}
