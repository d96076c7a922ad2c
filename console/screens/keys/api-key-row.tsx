import { api } from "../../app/api.js";
import { useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";
import { Badge, DateText, Facts } from "../../kit/values.js";
import { crudOf } from "../records/crud.js";
import { type AnyRecord, defineFamilyRow, type FamilyRow } from "../records/family-row.js";
import { EndpointGrants, type Endpoints } from "./endpoint-grants.js";
import { RotateApiKey } from "./rotate-api-key.js";

/** An API key as the API shows it. */
export interface ShownApiKey extends AnyRecord {
  readonly name?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly tenantIds?: readonly string[] | undefined;
  readonly earlierKeyExpirationInstant?: number | undefined;
  readonly expirationInstant?: number | undefined;
  readonly retrievable: boolean;
  readonly keyManager: boolean;
  readonly insertInstant: number;
  readonly lastUsedInstant?: number | undefined;
  readonly lastUsedIPAddress?: string | undefined;
}

/** API keys. `ApiKeyList` replaces the usual list, because the API cannot list them. */
export const apiKeyRow: FamilyRow<ShownApiKey> = defineFamilyRow({
  family: "apiKeys",
  path: "/api-keys",
  endpoint: "/api/api-key",
  messages: "keys",
  schema: "ApiKey",
  member: "apiKey",
  titleOf: ({ id, name }) => name ?? id,
  columns: () => [],
  list: async () => ({ rows: [] as ShownApiKey[] }),
  crud: crudOf(api.apiKeys, "keyId"),
  hide: ["key", "keyManager"],
  fixed: ["tenantId", "retrievable"],
  controls: {
    permissions: ({ onChange, value }) => (
      <EndpointGrants value={toEndpoints(value)} onChange={(endpoints) => onChange({ endpoints })} />
    ),
    "permissions.endpoints": ({ onChange, value }) => (
      <EndpointGrants value={toEndpoints({ endpoints: value })} onChange={onChange} />
    ),
  },
  beside: (shown) => shown && <KeyUse apiKey={shown.record} />,
  tabs: ({ record, reload }, t) => [
    { id: "rotation", label: t("rotation"), render: () => <RotateApiKey apiKey={record} onChanged={reload} /> },
  ],
});

function KeyUse({ apiKey }: { readonly apiKey: ShownApiKey }) {
  const t = useMessages("keys");
  const rows = [
    [
      t("lastUsed"),
      apiKey.lastUsedInstant === undefined ? t("neverUsed") : <DateText key="used" value={apiKey.lastUsedInstant} exact />,
    ],
    [t("lastAddress"), apiKey.lastUsedIPAddress],
    [t("created"), <DateText key="created" value={apiKey.insertInstant} exact />],
    [t("expires"), <Expiry key="expires" instant={apiKey.expirationInstant} />],
    [t("tenant"), apiKey.tenantIds?.join(", ") ?? apiKey.tenantId ?? t("allTenants")],
    ...(apiKey.earlierKeyExpirationInstant === undefined
      ? []
      : ([[t("earlierValueUntil"), <DateText key="earlier" value={apiKey.earlierKeyExpirationInstant} exact />]] as const)),
    [
      t("keyManager"),
      <Badge key="manager" kind={apiKey.keyManager ? "warn" : "neutral"}>
        {t(apiKey.keyManager ? "yes" : "no")}
      </Badge>,
    ],
  ] as const;
  return (
    <Panel title={t("use")}>
      <Facts rows={rows} />
    </Panel>
  );
}

/** The time before the expiration of a key from which it has a warning badge: 7 days. */
const warningMs = 7 * 86_400_000;

function Expiry({ instant }: { readonly instant: number | undefined }) {
  const t = useMessages("keys");
  const isSoon = instant !== undefined && instant - Date.now() < warningMs;
  return (
    <>
      <DateText value={instant} exact /> {isSoon && <Badge kind="warn">{t("expiresSoon")}</Badge>}
    </>
  );
}

function toEndpoints(value: unknown): Endpoints {
  if (typeof value !== "object" || value === null || !("endpoints" in value)) return {};
  const { endpoints } = value;
  if (typeof endpoints !== "object" || endpoints === null) return {};
  const granted = Object.entries(endpoints).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]));
  return Object.fromEntries(granted);
}
