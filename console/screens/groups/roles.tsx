import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { useAction } from "../../kit/danger-dialog.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Picker, RecordName } from "../../kit/picker.js";
import { Failed, Panel } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import type { Group } from "./group.js";

/** The roles that members of a group inherit, by application. */
export function Roles({ group, reload }: { readonly group: Group; reload(): void }) {
  const t = useMessages("groups");
  const [added, setAdded] = useState<readonly string[]>([]);
  const chosen = Object.values(group.roles).flatMap((list) => list.map(({ id }) => id));
  const applications = [...new Set([...Object.keys(group.roles), ...added])];
  const store = async (roleIds: readonly string[]): Promise<void> => {
    unwrap(await api.groups.patch({ groupId: group.id, patch: { roleIds: [...roleIds] }, mode: "merge" }));
    reload();
  };
  const [next, setNext] = useState<readonly string[]>();
  const { error, run } = useAction(async () => {
    if (next === undefined) return;
    await store(next);
    notify(t("rolesSaved"), { undo: () => store(chosen) });
    setNext(undefined);
  });
  const current = next ?? chosen;
  const toggle = (id: string): void => setNext(current.includes(id) ? current.filter((one) => one !== id) : [...current, id]);
  const canWrite = may("PATCH", "/api/group");
  return (
    <>
      <p class="hint">{t("rolesText")}</p>
      {error !== undefined && <Failed error={error} />}
      {applications.map((id) => (
        <ApplicationRoles key={id} applicationId={id} chosen={current} onToggle={canWrite ? toggle : undefined} />
      ))}
      {canWrite && (
        <div class="row">
          <div class="filter">
            <Picker
              family="application"
              value=""
              onChange={(id) => id !== "" && setAdded([...added, id])}
              aria-label={t("application")}
              placeholder={t("addApplication")}
            />
          </div>
          {next !== undefined && (
            <button type="button" class="button primary" onClick={run}>
              {t("saveRoles")}
            </button>
          )}
        </div>
      )}
    </>
  );
}

function ApplicationRoles({
  applicationId,
  chosen,
  onToggle,
}: {
  readonly applicationId: string;
  readonly chosen: readonly string[];
  readonly onToggle: ((roleId: string) => void) | undefined;
}) {
  const t = useMessages("groups");
  const { value } = useLoad(
    async () => unwrap(await api.applications.retrieve({ applicationId })).application.roles,
    [applicationId],
  );
  return (
    <Panel>
      <fieldset class="field choices">
        <legend>
          <Link href={`/applications/${applicationId}`}>
            <RecordName family="application" id={applicationId} />
          </Link>
        </legend>
        {value?.length === 0 && <p class="hint">{t("noRoles")}</p>}
        {value?.map(({ description, id, name }) => (
          <label key={id} class="menu-item">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              disabled={onToggle === undefined}
              onChange={() => onToggle?.(id)}
            />
            <span>
              {name} <span class="faint">{description}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Panel>
  );
}
