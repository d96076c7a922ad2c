import { Link } from "wouter-preact";
import { api, type ItemOf, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { type Column, DataList, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { RecordName } from "../../kit/picker.js";
import { Screen } from "../../kit/screen.js";
import { Badge, DateText, Id } from "../../kit/values.js";

type Application = ItemOf<Pick<Awaited<ReturnType<typeof load>>, "rows">>;

/** The list of all applications. */
export default function ApplicationsList() {
  const t = useMessages("applications");
  const actions = may("POST", "/api/application") && (
    <Link href="/applications/new" class="button primary">
      <Icon name="plus" />
      {t("new")}
    </Link>
  );
  const states = [
    { value: "Active", label: t("active") },
    { value: "Inactive", label: t("inactive") },
  ];
  return (
    <Screen title={t("title")} actions={actions}>
      <DataList
        name="applications"
        label={t("title")}
        columns={toColumns(t)}
        load={load}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/applications/${id}`}
        searchLabel={t("search")}
        filters={[{ id: "state", label: t("state"), options: states }]}
        empty={actions}
      />
    </Screen>
  );
}

async function load({ filters, nextResults, numberOfResults, orderBy, query, signal }: ListPage) {
  const state = (["Active", "Inactive"] as const).find((one) => one === filters["state"]);
  const search = {
    numberOfResults,
    orderBy,
    nextResults,
    ...(query && { name: query }),
    ...(state && { state }),
  };
  const { applications = [], nextResults: next, total } = unwrap(await api.applications.search({ search }, { signal }));
  return { rows: applications, total, nextResults: next };
}

function toColumns(t: Translate): readonly Column<Application>[] {
  return [
    { id: "name", label: t("name"), sort: "name", cell: ({ name }) => name },
    {
      id: "state",
      label: t("state"),
      cell: ({ active }) => <Badge kind={active ? "good" : "bad"}>{t(active ? "active" : "inactive")}</Badge>,
    },
    { id: "roles", label: t("roles"), align: "end", cell: ({ roles }) => roles.length },
    { id: "tenant", label: t("tenant"), hidden: true, cell: ({ tenantId }) => <RecordName family="tenant" id={tenantId} /> },
    {
      id: "created",
      label: t("created"),
      sort: "insertInstant",
      cell: ({ insertInstant }) => <DateText value={insertInstant} />,
    },
    { id: "id", label: "ID", cell: ({ id }) => <Id value={id} /> },
  ];
}
