import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { RecordForm } from "../../kit/record-form/index.js";
import { Failed, Loading, Panel } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { Facts, Id, Secret } from "../../kit/values.js";
import type { Application } from "./application.js";
import { makeSecret } from "./authorize-url.js";
import { TryLogin } from "./try-login.js";

interface OAuthProps {
  readonly application: Application;
  reload(): void;
}

/** An application as a client of OAuth and OpenID Connect: its secret, its settings, and a try-it. */
export function OAuth({ application, reload }: OAuthProps) {
  const t = useMessages("applications");
  const { id } = application;
  return (
    <>
      <Client application={application} reload={reload} />
      <TryLogin application={application} />
      {may("PATCH", "/api/application") ? (
        <Settings key={id} id={id} onSaved={reload} />
      ) : (
        <Panel title={t("settings")}>
          <pre class="code">{JSON.stringify(application.oauthConfiguration, undefined, 2)}</pre>
        </Panel>
      )}
    </>
  );
}

function Client({ application: { id, oauthConfiguration }, reload }: OAuthProps) {
  const t = useMessages("applications");
  const [isAsking, setAsking] = useState(false);
  const { clientId = id, clientSecret }: Partial<typeof oauthConfiguration> = oauthConfiguration;
  const renew = async (auditReason: string | undefined): Promise<void> => {
    const patch = { application: { oauthConfiguration: { clientSecret: makeSecret() } } };
    unwrap(await api.applications.patch({ applicationId: id, patch, mode: "merge" }, { auditReason }));
    notify(t("secretRenewed"));
    reload();
  };
  const actions = may("PATCH", "/api/application") && (
    <button type="button" class="button danger" onClick={() => setAsking(true)}>
      {t("renewSecret")}
    </button>
  );
  return (
    <Panel title={t("client")} actions={actions}>
      <Facts
        rows={[
          [t("clientId"), <Id key="id" value={clientId} />],
          [
            t("clientSecret"),
            clientSecret === undefined ? t("secretHidden") : <Secret key={clientSecret} value={clientSecret} />,
          ],
        ]}
      />
      {isAsking && (
        <DangerDialog title={t("renewSecret")} confirmLabel={t("renewSecret")} onConfirm={renew} onClose={() => setAsking(false)}>
          <p>{t("renewSecretText")}</p>
        </DangerDialog>
      )}
    </Panel>
  );
}

function Settings({ id, onSaved }: { readonly id: string; onSaved(): void }) {
  const t = useMessages("applications");
  const read = async () => {
    const result = await api.applications.retrieve({ applicationId: id });
    return { record: unwrap(result).application, etag: result.ok ? result.etag : undefined };
  };
  const { error, reload, value } = useLoad(read, [id]);
  if (error !== undefined) return <Failed error={error} onRetry={reload} />;
  if (value === undefined) return <Loading />;
  return (
    <RecordForm
      schema="Application"
      only="oauthConfiguration"
      hide={["clientId", "clientSecret", "requireClientAuthentication"].map((name) => `oauthConfiguration.${name}`)}
      record={value.record}
      etag={value.etag}
      draft={`application-oauth:${id}`}
      messages="applications"
      layout={sections(t)}
      events={["application.update"]}
      onSave={(application, options) =>
        api.applications.patch({ applicationId: id, patch: { application }, mode: "merge" }, options)
      }
      onSaved={() => {
        reload();
        onSaved();
      }}
      onReload={read}
    />
  );
}

const parts: Readonly<Record<string, readonly string[]>> = {
  urls: ["authorizedRedirectURLs", "authorizedURLValidationPolicy", "authorizedOriginURLs"],
  grants: [
    "enabledGrants",
    "generateRefreshTokens",
    "clientAuthenticationPolicy",
    "proofKeyForCodeExchangePolicy",
    "requireRegistration",
  ],
  consent: ["relationship", "consentMode", "scopeHandlingPolicy", "unknownScopePolicy", "providedScopePolicy"],
  logout: ["logoutURL", "logoutBehavior", "backchannelLogoutURL"],
};

function sections(t: Translate) {
  return Object.entries(parts).map(([name, fields]) => ({
    title: t(`oauth.${name}`),
    fields: fields.map((field) => `oauthConfiguration.${field}`),
  }));
}
