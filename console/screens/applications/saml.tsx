import { config } from "../../app/config.js";
import { may } from "../../app/session.js";
import { useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { Panel } from "../../kit/screen.js";
import { CopyButton, Facts } from "../../kit/values.js";
import type { Application } from "./application.js";
import { SettingsForm } from "./settings-form.js";

interface SamlProps {
  readonly application: Application;
  reload(): void;
}

const sections = {
  application: ["enabled", "issuer", "authorizedRedirectURLs", "audience"],
  signatures: [
    ...["keyId", "xmlSignatureLocation", "xmlSignatureC14nMethod", "requireSignedRequests", "defaultVerificationKeyId"],
    "verificationKeyIds",
    "assertionEncryptionConfiguration",
  ],
  logins: ["initiatedLogin", "loginHintConfiguration"],
};

/** An application as a SAML service provider: the values to enter there, its settings, and a login test. */
export function Saml({ application, reload }: SamlProps) {
  const t = useMessages("applications");
  const { id, tenantId } = application;
  const base = config.publicUrl ?? location.origin;
  const shown = (text: string) => (
    <span class="id">
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  );
  const { samlv2Configuration: settings } = application;
  const hasInitiated = settings?.initiatedLogin.enabled === true;
  return (
    <>
      <Panel title={t("samlSetUp")}>
        <p>{t("samlAbout")}</p>
        <Facts
          rows={[
            [t("samlEntityId"), shown(`${base}/samlv2/${tenantId}`)],
            [t("samlMetadata"), shown(`${base}/samlv2/metadata/${tenantId}`)],
            [t("samlEndpoint"), shown(`${base}/samlv2/login/${tenantId}`)],
          ]}
        />
        {hasInitiated && (
          <div class="actions">
            <a class="button" href={`${base}/samlv2/initiate/${id}`} target="_blank" rel="noopener noreferrer">
              {t("samlTry")}
              <Icon name="external" />
            </a>
          </div>
        )}
        {!hasInitiated && <p class="hint">{t("samlTryHint")}</p>}
        {config.publicUrl === undefined && <p class="banner warn">{t("noPublicUrl")}</p>}
      </Panel>
      {may("PATCH", "/api/application") ? (
        <SettingsForm applicationId={id} only="samlv2Configuration" sections={sections} hide={["callbackURL"]} onSaved={reload} />
      ) : (
        <Panel title={t("settings")}>
          <pre class="code">{JSON.stringify(settings, undefined, 2)}</pre>
        </Panel>
      )}
    </>
  );
}
