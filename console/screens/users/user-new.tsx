import { useState } from "preact/hooks";
import { api } from "../../app/api.js";
import { go, tenantId } from "../../app/tenant.js";
import { Checkbox } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { RecordForm } from "../../kit/record-form/index.js";
import { Panel, Screen } from "../../kit/screen.js";
import { useUserLayout } from "./user-layout.js";

/** The form that creates a user. */
export default function UserNew() {
  const t = useMessages("users");
  const layout = useUserLayout();
  const [sendSetPasswordEmail, setSend] = useState(false);
  const [skipVerification, setSkip] = useState(false);
  const hide = tenantId.value === undefined ? ["verified"] : ["verified", "tenantId"];
  return (
    <Screen title={t("new")} crumbs={[{ label: t("title"), href: "/users" }]}>
      <Panel title={t("mails")}>
        <Checkbox checked={sendSetPasswordEmail} label={t("sendSetPassword")} onChange={setSend} />
        <Checkbox checked={skipVerification} label={t("skipVerification")} onChange={setSkip} />
      </Panel>
      <RecordForm
        schema="User"
        draft="user:new"
        messages="users"
        layout={layout}
        hide={hide}
        events={["user.create"]}
        onSave={(user, options) => api.users.create({ user, sendSetPasswordEmail, skipVerification }, options)}
        onSaved={openCreated}
      />
    </Screen>
  );
}

function openCreated(value: unknown): void {
  const { user }: { readonly user?: { readonly id?: string } } = Object(value);
  go(user?.id === undefined ? "/users" : `/users/${user.id}`);
}
