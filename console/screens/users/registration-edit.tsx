import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import type { ScreenParams } from "../../app/area.js";
import { go } from "../../app/tenant.js";
import { Field } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Picker } from "../../kit/picker.js";
import { type FieldControl, RecordForm } from "../../kit/record-form/index.js";
import { Failed, Loading, Panel, Screen } from "../../kit/screen.js";

/** The form that registers a user to an application or changes a registration. */
export default function RegistrationEdit({ params: { applicationId: given = "", id: userId = "" } }: ScreenParams) {
  const t = useMessages("users");
  const isNew = given === "new";
  const [chosen, setChosen] = useState("");
  const applicationId = isNew ? chosen : given;
  const crumbs = [
    { label: t("title"), href: "/users" },
    { label: t("user"), href: `/users/${userId}?tab=registrations` },
  ];
  return (
    <Screen title={t(isNew ? "register" : "registration")} crumbs={crumbs}>
      {isNew && (
        <Panel>
          <Field label={t("application")}>
            <Picker family="application" value={chosen} onChange={setChosen} />
          </Field>
        </Panel>
      )}
      {applicationId !== "" && (
        <RegistrationForm key={applicationId} userId={userId} applicationId={applicationId} isNew={isNew} />
      )}
    </Screen>
  );
}

interface RegistrationFormProps {
  readonly userId: string;
  readonly applicationId: string;
  readonly isNew: boolean;
}

function RegistrationForm({ applicationId, isNew, userId }: RegistrationFormProps) {
  const read = async () => {
    if (isNew) return { record: undefined, etag: undefined };
    const result = await api.registrations.retrieve({ userId, applicationId });
    return { record: unwrap(result).registration, etag: result.ok ? result.etag : undefined };
  };
  const { error, reload, value } = useLoad(async () => {
    const [registration, application] = await Promise.all([read(), api.applications.retrieve({ applicationId })]);
    return { ...registration, roles: unwrap(application).application.roles.map(({ name }) => name) };
  }, [userId, applicationId]);
  if (error !== undefined) return <Failed error={error} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  const reread = async () => {
    const { etag, record } = await read();
    return { record: record ?? {}, etag };
  };
  return (
    <RecordForm
      schema="Registration"
      record={value.record}
      etag={value.etag}
      draft={`registration:${userId}:${applicationId}`}
      messages="users"
      hide={["applicationId", "verified"]}
      controls={{ roles: toRolesControl(value.roles) }}
      events={[isNew ? "user.registration.create" : "user.registration.update"]}
      onSave={(registration, options) =>
        isNew
          ? api.registrations.create({ userId, registration: { ...registration, applicationId } }, options)
          : api.registrations.patch({ userId, applicationId, patch: { registration }, mode: "merge" }, options)
      }
      onSaved={() => go(`/users/${userId}?tab=registrations`)}
      onReload={reread}
    />
  );
}

function toRolesControl(roles: readonly string[]): FieldControl {
  return ({ onChange, value }) => <Roles roles={roles} chosen={Array.isArray(value) ? value : []} onChange={onChange} />;
}

function Roles({
  chosen,
  onChange,
  roles,
}: {
  readonly roles: readonly string[];
  readonly chosen: readonly unknown[];
  onChange(roles: readonly string[]): void;
}) {
  const t = useMessages("users");
  const toggle = (role: string): void =>
    onChange(roles.filter((one) => (one === role ? !chosen.includes(one) : chosen.includes(one))));
  return (
    <fieldset class="field choices">
      <legend>{t("roles")}</legend>
      <p class="hint">{t("rolesHint")}</p>
      {roles.map((role) => (
        <label key={role} class="menu-item">
          <input type="checkbox" checked={chosen.includes(role)} onChange={() => toggle(role)} />
          <span>{role}</span>
        </label>
      ))}
    </fieldset>
  );
}
