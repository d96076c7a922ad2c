import { api, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { goToTenant, tenantId } from "../../app/tenant.js";
import { Field } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Picker } from "../../kit/picker.js";
import { Failed, Loading, Panel, Screen } from "../../kit/screen.js";
import { Tabs } from "../../kit/tabs.js";
import { LastRequests } from "./last-requests.js";
import { SetUpValues } from "./set-up-values.js";
import { Settings } from "./settings.js";
import { TestCall } from "./test-call.js";

/** The SCIM provisioning of a tenant: a switch, the values for the directory, the last requests, and a test. */
export default function Scim() {
  const t = useMessages("scim");
  const id = tenantId.value;
  return (
    <Screen title={t("title")} subtitle={t("about")}>
      {id === undefined ? <ChooseTenant /> : <ScimOfTenant key={id} id={id} />}
    </Screen>
  );
}

function ChooseTenant() {
  const t = useMessages("scim");
  return (
    <Panel>
      <Field label={t("tenant")} hint={t("tenantHint")}>
        <Picker family="tenant" value="" onChange={(id) => goToTenant(id)} />
      </Field>
    </Panel>
  );
}

function ScimOfTenant({ id }: { readonly id: string }) {
  const t = useMessages("scim");
  const { error, reload, value } = useLoad(async () => unwrap(await api.tenants.retrieve({ tenantId: id })).tenant, [id]);
  if (error !== undefined) return <Failed error={error} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  const settings = value.scimServerConfiguration;
  const tabs = [
    { id: "set-up", label: t("setUp"), render: () => <SetUpValues tenantId={id} tenantName={value.name} /> },
    { id: "requests", label: t("lastRequests"), render: () => <LastRequests tenantId={id} /> },
    { id: "test", label: t("test"), render: () => <TestCall /> },
  ];
  return (
    <>
      <Settings tenantId={id} settings={settings} mayChange={may("PATCH", "/api/tenant")} onChanged={reload} />
      {settings?.enabled === true && <Tabs label={t("title")} tabs={tabs} />}
    </>
  );
}
