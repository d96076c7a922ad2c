import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { Facts, Id, Secret } from "../../kit/values.js";
import type { Application } from "./application.js";
import { makeSecret } from "./authorize-url.js";
import { SettingsForm } from "./settings-form.js";
import { TryLogin } from "./try-login.js";

interface OAuthProps {
  readonly application: Application;
  reload(): void;
}

/** An application as a client of OAuth and OpenID Connect: its secret, its settings, and a login test. */
export function OAuth({ application, reload }: OAuthProps) {
  const t = useMessages("applications");
  const { id } = application;
  return (
    <>
      <Client application={application} reload={reload} />
      <TryLogin application={application} />
      {may("PATCH", "/api/application") ? (
        <SettingsForm applicationId={id} only="oauthConfiguration" sections={sections} hide={hidden} onSaved={reload} />
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

const sections = {
  urls: ["authorizedRedirectURLs", "authorizedURLValidationPolicy", "authorizedOriginURLs"],
  grants: [
    ...["enabledGrants", "generateRefreshTokens", "clientAuthenticationPolicy", "proofKeyForCodeExchangePolicy"],
    "requireRegistration",
  ],
  consent: ["relationship", "consentMode", "scopeHandlingPolicy", "unknownScopePolicy", "providedScopePolicy"],
  logout: ["logoutURL", "logoutBehavior", "backchannelLogoutURL"],
};

// The client secret has its own button; the service derives the other hidden members.
const hidden = ["clientId", "clientSecret", "requireClientAuthentication"];
