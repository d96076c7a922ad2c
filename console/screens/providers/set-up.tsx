import { config } from "../../app/config.js";
import { useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";
import { CopyButton, Facts } from "../../kit/values.js";
import { providerTypes } from "./provider-types.js";
import { testRedirectUri } from "./test-login.js";

/** The URL of the service; without the option of the host, that of this page's server. */
export const publicUrl = (): string => config.publicUrl ?? location.origin;

/** What an administrator does at a provider: where its values are, and the addresses to enter there. */
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

function samlRows(t: ReturnType<typeof useMessages>, type: string, id: string | undefined) {
  const place = type === "SAMLv2" ? "/samlv2/acs" : `/samlv2/acs/${id ?? "…"}`;
  return [
    [
      t("acs"),
      id === undefined && type !== "SAMLv2" ? t("afterCreation") : <Address key="acs" text={publicUrl() + place} />,
    ] as const,
    [
      t("entityId"),
      id === undefined ? t("afterCreation") : <Address key="entity" text={`${publicUrl()}/samlv2/sp/metadata/${id}`} />,
    ] as const,
  ];
}

/** An address to paste elsewhere. */
export function Address({ text }: { readonly text: string }) {
  return (
    <span class="id">
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  );
}
