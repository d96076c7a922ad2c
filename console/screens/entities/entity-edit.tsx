import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import type { ScreenParams } from "../../app/area.js";
import { go, tenantId } from "../../app/tenant.js";
import { Field } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Picker } from "../../kit/picker.js";
import { RecordForm } from "../../kit/record-form/index.js";
import { Failed, Loading, Panel, Screen } from "../../kit/screen.js";

/** The form that creates or changes an entity. */
export default function EntityEdit({ params: { id } }: ScreenParams) {
  const t = useMessages("entities");
  const [typeId, setTypeId] = useState("");
  const read = async () => {
    if (id === undefined) return { record: undefined, etag: undefined };
    const result = await api.entities.retrieve({ entityId: id });
    return { record: unwrap(result).entity, etag: result.ok ? result.etag : undefined };
  };
  const { error, reload, value } = useLoad(read, [id]);
  const isNew = id === undefined;
  return (
    <Screen
      title={isNew ? t("new") : t("editEntity", { name: value?.record?.name ?? "" })}
      crumbs={[{ label: t("title"), href: "/entities" }]}
    >
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {isNew && (
        <Panel>
          <Field label={t("type")} hint={t("typeHint")}>
            <Picker family="entityType" value={typeId} onChange={(chosen) => setTypeId(chosen)} />
          </Field>
        </Panel>
      )}
      {value !== undefined && (!isNew || typeId !== "") && (
        <RecordForm
          schema="Entity"
          record={value.record}
          etag={value.etag}
          draft={`entity:${id ?? "new"}`}
          messages="entities"
          hide={["type", "type.id", ...(!isNew || tenantId.value !== undefined ? ["tenantId"] : [])]}
          events={[isNew ? "entity.create" : "entity.update"]}
          onSave={(entity, options) =>
            isNew
              ? api.entities.create({ entity: { name: "", ...entity, type: { id: typeId } } }, options)
              : api.entities.patch({ entityId: id, patch: { entity }, mode: "merge" }, options)
          }
          onSaved={openSaved}
          onReload={async () => {
            const { etag, record } = await read();
            return { record: record ?? {}, etag };
          }}
        />
      )}
    </Screen>
  );
}

function openSaved(value: unknown): void {
  const { entity }: { readonly entity?: { readonly id?: string } } = Object(value);
  go(entity?.id === undefined ? "/entities" : `/entities/${entity.id}`);
}
