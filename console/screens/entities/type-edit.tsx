import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import type { ScreenParams } from "../../app/area.js";
import { may } from "../../app/session.js";
import { go } from "../../app/tenant.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { RecordForm } from "../../kit/record-form/index.js";
import { Failed, Loading, Screen } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { Permissions } from "./permissions.js";

/** The form that creates or changes an entity type, with its permissions. */
export default function TypeEdit({ params: { id } }: ScreenParams) {
  const t = useMessages("entities");
  const [isRemoving, setRemoving] = useState(false);
  const read = async () => {
    if (id === undefined) return { record: undefined, etag: undefined };
    const result = await api.entityTypes.retrieve({ entityTypeId: id });
    return { record: unwrap(result).entityType, etag: result.ok ? result.etag : undefined };
  };
  const { error, reload, value } = useLoad(read, [id]);
  const record = value?.record;
  const crumbs = [
    { label: t("title"), href: "/entities" },
    { label: t("types"), href: "/entities/types" },
  ];
  const actions = record !== undefined && may("DELETE", "/api/entity/type") && (
    <button type="button" class="button danger" onClick={() => setRemoving(true)}>
      {t("remove")}
    </button>
  );
  return (
    <Screen title={id === undefined ? t("newType") : (record?.name ?? t("type"))} crumbs={crumbs} actions={actions}>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {record !== undefined && <Permissions entityTypeId={record.id} permissions={record.permissions} reload={reload} />}
      {value !== undefined && (
        <RecordForm
          schema="EntityType"
          record={record}
          etag={value.etag}
          draft={`entity-type:${id ?? "new"}`}
          messages="entities"
          hide={id === undefined ? [] : ["permissions"]}
          onSave={(entityType, options) =>
            id === undefined
              ? api.entityTypes.create({ entityType: { name: "", ...entityType } }, options)
              : api.entityTypes.patch({ entityTypeId: id, patch: { entityType }, mode: "merge" }, options)
          }
          onSaved={() => (id === undefined ? go("/entities/types") : reload())}
          onReload={async () => {
            const { etag, record: fresh } = await read();
            return { record: fresh ?? {}, etag };
          }}
        />
      )}
      {isRemoving && record !== undefined && <RemoveType id={record.id} name={record.name} onClose={() => setRemoving(false)} />}
    </Screen>
  );
}

function RemoveType({ id, name, onClose }: { readonly id: string; readonly name: string; onClose(): void }) {
  const t = useMessages("entities");
  const impact = async (): Promise<string> => {
    const search = { queryString: `type.id:${id}`, numberOfResults: 0 };
    return t("typeImpact", { count: unwrap(await api.entities.search({ search })).total });
  };
  const remove = async (auditReason: string | undefined): Promise<void> => {
    unwrap(await api.entityTypes.remove({ entityTypeId: id }, { auditReason }));
    notify(t("removed"));
    go("/entities/types");
  };
  return (
    <DangerDialog title={t("remove")} name={name} impact={impact} confirmLabel={t("remove")} onConfirm={remove} onClose={onClose}>
      <p>{t("removeTypeText", { name })}</p>
    </DangerDialog>
  );
}
