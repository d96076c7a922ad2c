import "../records/records.css";
import { api, unwrap } from "../../app/api.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { RecordForm } from "../../kit/record-form/index.js";
import { Failed, Loading, Panel, Screen } from "../../kit/screen.js";
import { Siblings } from "../records/siblings.js";

export const outgoing: readonly { readonly label: string; readonly path: string }[] = [
  { label: "integrations", path: "/integrations" },
  { label: "messengers.many", path: "/messengers" },
];

/** The integrations: moderation, message broker, text messages. Mail is an option of the host. */
export function Integrations() {
  const t = useMessages("settings");
  const { error, reload, value } = useLoad(read, []);
  return (
    <Screen title={t("integrations")} subtitle={t("integrationsAbout")}>
      <Siblings messages="settings" rows={outgoing} path="/integrations" />
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && (
        <RecordForm
          schema="Integration"
          member="integrations"
          messages="settings"
          hide={["sms"]}
          layout={[
            { title: t("moderation"), fields: ["moderation"] },
            { title: t("broker"), fields: ["broker"] },
          ]}
          record={value.record}
          etag={value.etag}
          draft="integrations"
          onSave={(content, { auditReason, dryRun, ifMatch }) =>
            api.integrations.patch({ patch: { integrations: content }, mode: "merge" }, { auditReason, dryRun, ifMatch })
          }
          onSaved={reload}
          onReload={read}
        />
      )}
      <Panel title={t("testCalls")}>
        <ul>
          <li>{t("testMail")}</li>
          <li>{t("testSms")}</li>
          <li>{t("testWebhook")}</li>
        </ul>
      </Panel>
    </Screen>
  );
}

async function read() {
  const result = await api.integrations.retrieve({});
  const { integrations } = unwrap(result);
  return { record: integrations, etag: result.ok ? result.etag : undefined };
}
