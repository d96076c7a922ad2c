import { api, unwrap } from "../../app/api.js";
import type { ScreenParams } from "../../app/area.js";
import { go, tenantId } from "../../app/tenant.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { RecordForm } from "../../kit/record-form/index.js";
import { Failed, Loading, Screen } from "../../kit/screen.js";

/** The form that creates or changes an application. */
export default function ApplicationEdit({ params: { id } }: ScreenParams) {
  const t = useMessages("applications");
  const read = async () => {
    if (id === undefined) return { record: undefined, etag: undefined };
    const result = await api.applications.retrieve({ applicationId: id });
    return { record: unwrap(result).application, etag: result.ok ? result.etag : undefined };
  };
  const { error, reload, value } = useLoad(read, [id]);
  const title = id === undefined ? t("new") : t("editApplication", { name: value?.record?.name ?? "" });
  return (
    <Screen title={title} crumbs={[{ label: t("title"), href: "/applications" }]}>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && (
        <RecordForm
          schema="Application"
          record={value.record}
          etag={value.etag}
          draft={`application:${id ?? "new"}`}
          messages="applications"
          layout={[{ title: t("basics"), fields: ["name", "tenantId"] }]}
          hide={[
            "roles",
            "oauthConfiguration",
            "samlv2Configuration",
            ...(id !== undefined || tenantId.value !== undefined ? ["tenantId"] : []),
          ]}
          events={[id === undefined ? "application.create" : "application.update"]}
          affected={async () => {
            const search = { queryString: `registrations.applicationId:${id}`, numberOfResults: 0 };
            return id !== undefined && t("affected", { count: unwrap(await api.users.search({ search })).total });
          }}
          onSave={(application, options) =>
            id === undefined
              ? api.applications.create({ application: { name: "", ...application } }, options)
              : api.applications.patch({ applicationId: id, patch: { application }, mode: "merge" }, options)
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
  const { application }: { readonly application?: { readonly id?: string } } = Object(value);
  go(application?.id === undefined ? "/applications" : `/applications/${application.id}`);
}
