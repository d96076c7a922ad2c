import { Link } from "wouter-preact";
import { api } from "../../app/api.js";
import { type Column, DataList, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { Badge, DateText } from "../../kit/values.js";
import { searched, toCriteria } from "../records/pages.js";

interface RequestEntry {
  readonly id: number;
  readonly message: string;
  readonly type: string;
  readonly insertInstant: number;
}

/** Lists the event log entries of a tenant about SCIM requests that were refused or named undeclared attributes or schemas. */
export function LastRequests({ tenantId }: { readonly tenantId: string }) {
  const t = useMessages("scim");
  const load = (page: ListPage) => {
    const words = page.query === "" ? "" : `*${page.query}`;
    const search = toCriteria(page, { message: `SCIM *tenant ${tenantId}${words}*` });
    return searched(api.eventLogs.search({ search }, { signal: page.signal }), ({ eventLogs }) => eventLogs ?? []);
  };
  return (
    <>
      <p class="hint">
        {t("requestsHint")} <Link href="/logs/audit">{t("auditLink")}</Link>
      </p>
      <DataList
        name="scim-requests"
        label={t("lastRequests")}
        searchLabel={t("searchRequests")}
        columns={columnsOf(t, tenantId)}
        load={load}
        rowKey={({ id }) => String(id)}
        rowHref={({ id }) => `/logs/events/${id}`}
      />
    </>
  );
}

function columnsOf(t: Translate, tenantId: string): readonly Column<RequestEntry>[] {
  return [
    {
      id: "insertInstant",
      label: t("when"),
      sort: "insertInstant",
      cell: ({ insertInstant }) => <DateText value={insertInstant} />,
    },
    {
      id: "type",
      label: t("outcome"),
      cell: ({ type }) => <Badge kind={type === "Error" ? "bad" : "accent"}>{t(type === "Error" ? "refused" : "ignored")}</Badge>,
    },
    { id: "message", label: t("request"), cell: ({ message }) => withoutTenant(message, tenantId) },
  ];
}

// Omits the tenant, because the page already shows it.
function withoutTenant(message: string, tenantId: string): string {
  return message.replace("SCIM ", "").replace("/api/scim/resource/v2", "").replace(`, tenant ${tenantId}`, "");
}
