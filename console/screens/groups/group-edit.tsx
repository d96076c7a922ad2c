import { api, unwrap } from "../../app/api.js";
import type { ScreenParams } from "../../app/area.js";
import { go, tenantId } from "../../app/tenant.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { RecordForm } from "../../kit/record-form/index.js";
import { Failed, Loading, Screen } from "../../kit/screen.js";

/** The form that creates or changes a group. */
export default function GroupEdit({ params: { id } }: ScreenParams) {
  const t = useMessages("groups");
  const read = async () => {
    if (id === undefined) return { record: undefined, etag: undefined };
    const result = await api.groups.retrieve({ groupId: id });
    return { record: unwrap(result).group, etag: result.ok ? result.etag : undefined };
  };
  const { error, reload, value } = useLoad(read, [id]);
  return (
    <Screen
      title={id === undefined ? t("new") : t("editGroup", { name: value?.record?.name ?? "" })}
      crumbs={[{ label: t("title"), href: "/groups" }]}
    >
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && (
        <RecordForm
          schema="Group"
          record={value.record}
          etag={value.etag}
          draft={`group:${id ?? "new"}`}
          messages="groups"
          hide={id !== undefined || tenantId.value !== undefined ? ["tenantId"] : []}
          events={[id === undefined ? "group.create" : "group.update"]}
          affected={async () =>
            id !== undefined &&
            t("affected", { count: unwrap(await api.groupMembers.search({ search: { groupId: id, numberOfResults: 0 } })).total })
          }
          onSave={(group, options) =>
            id === undefined
              ? api.groups.create({ group: { name: "", ...group } }, options)
              : api.groups.patch({ groupId: id, patch: { group }, mode: "merge" }, options)
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
  const { group }: { readonly group?: { readonly id?: string } } = Object(value);
  go(group?.id === undefined ? "/groups" : `/groups/${group.id}`);
}
