import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import { config } from "../../app/config.js";
import { may, session } from "../../app/session.js";
import { useAction } from "../../kit/danger-dialog.js";
import { Field, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Failed, Panel } from "../../kit/screen.js";
import { CopyButton, Facts, Secret } from "../../kit/values.js";
import { readScim, scimPath } from "./scim-requests.js";

const endpoints = Object.fromEntries(
  ["Users", "EnterpriseUsers", "Groups", "Bulk", ".search", "ServiceProviderConfig", "ResourceTypes", "Schemas"].map((name) => [
    `${scimPath}/${name}`,
    ["GET", "POST", "PUT", "PATCH", "DELETE"] as const,
  ]),
);

/** The values to paste into a directory: the address and a separate token. */
export function SetUpValues({ tenantId, tenantName }: { readonly tenantId: string; readonly tenantName: string }) {
  const t = useMessages("scim");
  const { value } = useLoad(async (signal) => baseUrlOf((await readScim("/ServiceProviderConfig", signal)).body), [tenantId]);
  const baseUrl = value ?? new URL(scimPath, location.origin).href;
  const shown = (text: string) => (
    <span class="id">
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  );
  return (
    <>
      <Token tenantId={tenantId} tenantName={tenantName} />
      <Panel title={t("okta")}>
        <Facts
          rows={[
            [t("oktaUrl"), shown(baseUrl)],
            [t("oktaUnique"), shown("userName")],
            [t("oktaActions"), t("oktaActionsText")],
            [t("oktaMode"), t("oktaModeText")],
          ]}
        />
      </Panel>
      <Panel title={t("entra")}>
        <Facts
          rows={[
            [t("entraMode"), t("entraModeText")],
            [t("entraUrl"), shown(baseUrl)],
            [t("entraSecret"), t("entraSecretText")],
            [t("entraMapping"), t("entraMappingText")],
          ]}
        />
      </Panel>
      <p class="hint">{t("urlHint")}</p>
    </>
  );
}

// Without `publicUrl`, a response contains the address below the path of the console, which directories cannot call.
function baseUrlOf({ meta }: Readonly<Record<string, unknown>>): string | undefined {
  const location = (meta as { readonly location?: unknown } | undefined)?.location;
  const found = typeof location === "string" ? location.replace(/\/ServiceProviderConfig$/, "") : undefined;
  return found?.endsWith(`${config.base.replace(/\/$/, "")}${scimPath}`) && config.base !== "/" ? undefined : found;
}

function Token({ tenantId, tenantName }: { readonly tenantId: string; readonly tenantName: string }) {
  const t = useMessages("scim");
  const [name, setName] = useState(t("tokenName", { tenant: tenantName }));
  const [made, setMade] = useState<string>();
  const { error, isBusy, run } = useAction(async () => {
    const key = { name, tenantId, retrievable: false, permissions: { endpoints } };
    setMade(unwrap(await api.apiKeys.create({ apiKey: key })).apiKey.key ?? "");
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  if (session.value?.role !== "full" && !may("POST", "/api/api-key")) return <p class="hint">{t("tokenByFull")}</p>;
  return (
    <Panel title={t("token")}>
      <p>{t("tokenAbout")}</p>
      {error !== undefined && <Failed error={error} />}
      {made === undefined ? (
        <form class="inline-form" onSubmit={submit}>
          <Field label={t("tokenLabel")}>
            <TextInput value={name} onChange={setName} required maxLength={191} autocomplete="off" />
          </Field>
          <button type="submit" class="button primary" disabled={isBusy}>
            {t("createToken")}
          </button>
        </form>
      ) : (
        <div role="status">
          <p class="banner warn">{t("tokenOnce")}</p>
          <Secret value={made} />
        </div>
      )}
    </Panel>
  );
}
