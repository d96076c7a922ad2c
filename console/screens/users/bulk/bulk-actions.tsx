import { useState } from "preact/hooks";
import { may } from "../../../app/session.js";
import type { Selection } from "../../../kit/data-list/index.js";
import { useMessages } from "../../../kit/i18n.js";
import type { nameOfUser } from "../../../kit/pickable.js";
import { BulkDialog } from "./bulk-dialog.js";
import type { BulkAction } from "./run.js";

const actions: readonly (readonly [BulkAction, string, string])[] = [
  ["deactivate", "DELETE", "/api/user/bulk"],
  ["reactivate", "PUT", "/api/user"],
  ["addToGroup", "POST", "/api/group/member"],
  ["endSessions", "DELETE", "/api/jwt/refresh"],
  ["requirePasswordChange", "PATCH", "/api/user"],
  ["remove", "DELETE", "/api/user/bulk"],
];

/** The actions for the selected users. */
export function BulkActions({
  onDone,
  selection,
}: {
  readonly selection: Selection<Parameters<typeof nameOfUser>[0]>;
  onDone(): void;
}) {
  const t = useMessages("users");
  const [action, setAction] = useState<BulkAction>();
  const close = (isDone: boolean): void => {
    setAction(undefined);
    if (!isDone) return;
    selection.clear();
    onDone();
  };
  return (
    <>
      {actions.map(([name, method, path]) =>
        may(method, path) ? (
          <button
            key={name}
            type="button"
            class={`button small${name === "remove" ? " danger" : ""}`}
            onClick={() => setAction(name)}
          >
            {t(`bulk.${name}`)}
          </button>
        ) : null,
      )}
      {action !== undefined && <BulkDialog action={action} selection={selection} onClose={close} />}
    </>
  );
}
