import { api } from "../../app/api.js";
import { formatNumber } from "../../kit/i18n.js";
import { Badge, DateText } from "../../kit/values.js";
import { crudOf } from "../records/crud.js";
import { type AnyRecord, defineFamilyRow, type FamilyRow } from "../records/family-row.js";
import { searched, toCriteria } from "../records/pages.js";
import { type EnabledEvents, EventSwitches } from "./event-switches.js";
import { WebhookSignature } from "./webhook-signature.js";
import { WebhookTest } from "./webhook-test.js";

interface WebhookRow extends AnyRecord {
  readonly url: string;
  readonly description?: string | undefined;
  readonly global: boolean;
  readonly tenantIds: readonly string[];
  readonly eventsEnabled: EnabledEvents;
  readonly signatureConfiguration: { readonly enabled: boolean; readonly signingKeyId?: string | undefined };
  readonly lastUpdateInstant: number;
}

/** Webhooks, with their URLs and events. */
export const webhookRow: FamilyRow<WebhookRow> = defineFamilyRow({
  family: "webhooks",
  path: "/webhooks",
  endpoint: "/api/webhook",
  messages: "webhooks",
  schema: "Webhook",
  member: "webhook",
  titleOf: ({ url }) => url,
  columns: (t) => [
    { id: "url", label: t("url"), sort: "url", cell: ({ url }) => url },
    { id: "description", label: t("description"), cell: ({ description }) => description ?? "" },
    {
      id: "scope",
      label: t("scope"),
      cell: ({ global, tenantIds }) =>
        global ? <Badge kind="accent">{t("allTenants")}</Badge> : t("tenants", { count: tenantIds.length }),
    },
    {
      id: "events",
      label: t("events"),
      align: "end",
      cell: ({ eventsEnabled }) => formatNumber(Object.values(eventsEnabled).filter(Boolean).length),
    },
    { id: "changed", label: t("changed"), hidden: true, cell: ({ lastUpdateInstant }) => <DateText value={lastUpdateInstant} /> },
  ],
  list: (page) =>
    searched(
      api.webhooks.search({ search: toCriteria(page, { url: page.query }) }, { signal: page.signal }),
      ({ webhooks }) => webhooks ?? [],
    ),
  crud: crudOf(api.webhooks, "webhookId"),
  hide: ["signatureConfiguration", "applicationIds"],
  initial: { connectTimeout: 1_000, readTimeout: 2_000, global: true },
  layout: (t) => [
    { title: t("receiver"), fields: ["url", "description", "connectTimeout", "readTimeout", "global", "tenantIds"] },
    { title: t("events"), fields: ["eventsEnabled"] },
  ],
  controls: {
    eventsEnabled: ({ onChange, value }) => <EventSwitches value={toEvents(value)} onChange={onChange} />,
  },
  tabs: ({ etag, record, reload }, t) => [
    { id: "test", label: t("test"), render: () => <WebhookTest webhookId={record.id} /> },
    {
      id: "signature",
      label: t("signature"),
      render: () => (
        <WebhookSignature webhookId={record.id} etag={etag} signature={record.signatureConfiguration} onChanged={reload} />
      ),
    },
  ],
});

function toEvents(value: unknown): EnabledEvents {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, isOn]) => [name, isOn === true]))
    : {};
}
