import { Link } from "wouter-preact";
import { api, type ItemOf, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { goToTenant } from "../../app/tenant.js";
import { type Column, DataList, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { Screen } from "../../kit/screen.js";
import { DateText, Id } from "../../kit/values.js";

type Tenant = ItemOf<Pick<Awaited<ReturnType<typeof load>>, "rows">>;

/** The list of all tenants. */
export default function TenantsList() {
  const t = useMessages("tenants");
  const actions = may("POST", "/api/tenant") && (
    <Link href="/tenants/new" class="button primary">
      <Icon name="plus" />
      {t("new")}
    </Link>
  );
  return (
    <Screen title={t("title")} actions={actions}>
      <DataList
        name="tenants"
        label={t("title")}
        columns={toColumns(t)}
        load={load}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/tenants/${id}`}
        searchLabel={t("search")}
        empty={actions}
      />
    </Screen>
  );
}

async function load({ nextResults, numberOfResults, orderBy, query, signal }: ListPage) {
  const search = { numberOfResults, orderBy, nextResults, ...(query && { name: query }) };
  const { nextResults: next, tenants = [], total } = unwrap(await api.tenants.search({ search }, { signal }));
  return { rows: tenants, total, nextResults: next };
}

function toColumns(t: Translate): readonly Column<Tenant>[] {
  return [
    { id: "name", label: t("name"), sort: "name", cell: ({ name }) => name },
    { id: "issuer", label: t("issuer"), cell: ({ issuer }) => issuer },
    {
      id: "created",
      label: t("created"),
      sort: "insertInstant",
      cell: ({ insertInstant }) => <DateText value={insertInstant} />,
    },
    { id: "id", label: "ID", cell: ({ id }) => <Id value={id} /> },
    {
      id: "operations",
      label: t("operations"),
      align: "end",
      cell: ({ id, name }) => (
        <button type="button" class="button small" onClick={() => goToTenant(id)}>
          {t("workIn")}
          <span class="unseen">{name}</span>
        </button>
      ),
    },
  ];
}
