import type { Tenant } from "latchkey/types";
import { Link } from "wouter-preact";
import { api, unwrap } from "../../app/api.js";
import { useAction } from "../../kit/danger-dialog.js";
import { useMessages } from "../../kit/i18n.js";
import { Failed, Panel } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { Badge, Facts } from "../../kit/values.js";

interface SettingsProps {
  readonly tenantId: string;
  /** Absent if an earlier release stored the tenant, or if the version has no SCIM. */
  readonly settings: Tenant["scimServerConfiguration"] | undefined;
  readonly mayChange: boolean;
  onChanged(): void;
}

/** Turns the provisioning of a tenant on or off, and shows the entity types of its clients and servers. */
export function Settings({ mayChange, onChanged, settings, tenantId }: SettingsProps) {
  const t = useMessages("scim");
  const isOn = settings?.enabled === true;
  const { error, isBusy, run } = useAction(async () => {
    const scimServerConfiguration = isOn ? { enabled: false } : { ...(await findTypes(settings)), enabled: true };
    unwrap(await api.tenants.patch({ tenantId, patch: { tenant: { scimServerConfiguration } }, mode: "merge" }));
    notify(t(isOn ? "turnedOff" : "turnedOn"));
    onChanged();
  });
  const actions = mayChange && (
    <button type="button" class={isOn ? "button danger" : "button primary"} onClick={run} disabled={isBusy}>
      {t(isOn ? "turnOff" : "turnOn")}
    </button>
  );
  return (
    <Panel title={t("settings")} actions={actions}>
      {error !== undefined && <Failed error={error} />}
      <Facts
        rows={[
          [
            t("state"),
            <Badge key="state" kind={isOn ? "good" : "neutral"}>
              {t(isOn ? "on" : "off")}
            </Badge>,
          ],
          [t("clientType"), <TypeLink key="client" id={settings?.clientEntityTypeId} />],
          [t("serverType"), <TypeLink key="server" id={settings?.serverEntityTypeId} />],
          [t("schemas"), Object.keys(settings?.schemas ?? {}).join(", ") || undefined],
        ]}
      />
      <p class="hint">
        {t("settingsHint")} <Link href={`/tenants/${tenantId}`}>{t("allSettings")}</Link>
      </p>
    </Panel>
  );
}

function TypeLink({ id }: { readonly id: string | undefined }) {
  return id === undefined ? <span class="faint">–</span> : <Link href={`/entities/types/${id}`}>{id}</Link>;
}

// Defaults to the built-in types if the tenant names none.
async function findTypes(settings: SettingsProps["settings"]) {
  const { entityTypes = [] } = unwrap(await api.entityTypes.search({ search: { name: "SCIM", numberOfResults: 100 } }));
  const idOf = (name: string): string | undefined => entityTypes.find((type) => type.name === name)?.id;
  return {
    clientEntityTypeId: settings?.clientEntityTypeId ?? idOf("SCIM client"),
    serverEntityTypeId: settings?.serverEntityTypeId ?? idOf("SCIM server"),
  };
}
