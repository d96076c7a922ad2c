import { config } from "../../app/config.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";
import { CopyButton, Facts } from "../../kit/values.js";
import { providerTypes } from "./provider-types.js";
import { testRedirectUri } from "./test-login.js";

/** Returns the public URL of the service. Default, if the host sets none: the origin of this page. */
export const publicUrl = (): string => config.publicUrl ?? location.origin;

/** The setup steps at a provider: where to find its values, and the addresses to enter there. */
export function SetUp({ id, type }: { readonly type: string; readonly id: string | undefined }) {
  const t = useMessages("providers");
  const { returns = "none", test } = providerTypes[type] ?? {};
  const saml = returns === "assertions" ? samlRows(t, type, id) : [];
  const callback =
    returns === "callback"
      ? [[t("redirectUri"), <Address key="callback" text={`${publicUrl()}/oauth2/callback`} />] as const]
      : [];
  const tested = test === "redirect" ? [[t("testRedirectUri"), <Address key="test" text={testRedirectUri()} />] as const] : [];
  const rows = [...callback, ...saml, ...tested];
  return (
    <Panel title={t("setUp")}>
      <p>{t(`type.${type}.setUp`)}</p>
      {rows.length > 0 && <Facts rows={rows} />}
      {test === "redirect" && <p class="hint">{t("testRedirectHint")}</p>}
      {config.publicUrl === undefined && rows.length > 0 && <p class="hint">{t("noPublicUrl")}</p>}
    </Panel>
  );
}

// Addresses that contain the id of the provider exist only after its creation.
function samlRows(t: Translate, type: string, id: string | undefined) {
  const later = (key: string, path: string) =>
    [t(key), id === undefined ? t("afterCreation") : <Address key={key} text={`${publicUrl()}${path}/${id}`} />] as const;
  if (type !== "SAMLv2") return [later("acs", "/samlv2/acs")];
  return [
    [t("acs"), <Address key="acs" text={`${publicUrl()}/samlv2/acs`} />] as const,
    later("entityId", "/samlv2/sp"),
    later("metadata", "/samlv2/sp/metadata"),
  ];
}

/** An address with a button to copy it. */
export function Address({ text }: { readonly text: string }) {
  return (
    <span class="id">
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  );
}
