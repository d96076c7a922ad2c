import { api, unwrap } from "../../app/api.js";
import type { ScreenParams } from "../../app/area.js";
import { go } from "../../app/tenant.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { nameOfUser } from "../../kit/pickable.js";
import { RecordForm } from "../../kit/record-form/index.js";
import { Failed, Loading, Screen } from "../../kit/screen.js";
import { useUserLayout } from "./user-layout.js";

/** Edits a user in the form that the OpenAPI document describes. */
export default function UserEdit({ params: { id = "" } }: ScreenParams) {
  const t = useMessages("users");
  const layout = useUserLayout();
  const read = async () => {
    const result = await api.users.retrieve({ userId: id });
    return { record: unwrap(result).user, etag: result.ok ? result.etag : undefined };
  };
  const { error, reload, value } = useLoad(read, [id]);
  const name = value === undefined ? t("user") : nameOfUser(value.record);
  const crumbs = [
    { label: t("title"), href: "/users" },
    { label: name, href: `/users/${id}` },
  ];
  return (
    <Screen title={t("editUser", { name })} crumbs={crumbs}>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && (
        <RecordForm
          schema="User"
          record={value.record}
          etag={value.etag}
          draft={`user:${id}`}
          messages="users"
          layout={layout}
          hide={["tenantId", "verified", "password"]}
          events={["user.update"]}
          onSave={(user, options) => api.users.patch({ userId: id, patch: { user }, mode: "merge" }, options)}
          onSaved={() => go(`/users/${id}`)}
          onReload={read}
        />
      )}
    </Screen>
  );
}
