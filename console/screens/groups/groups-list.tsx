import { Link } from "wouter-preact";
import { api, type ItemOf, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { type Column, DataList, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { RecordName } from "../../kit/picker.js";
import { Screen } from "../../kit/screen.js";
import { Badge, DateText, Id } from "../../kit/values.js";

type Group = ItemOf<Pick<Awaited<ReturnType<typeof load>>, "rows">>;

/** The list of all groups. */
export default function GroupsList() {
  const t = useMessages("groups");
  const actions = may("POST", "/api/group") && (
    <Link href="/groups/new" class="button primary">
      <Icon name="plus" />
      {t("new")}
    </Link>
  );
  return (
    <Screen title={t("title")} actions={actions}>
      <DataList
        name="groups"
        label={t("title")}
        columns={toColumns(t)}
        load={load}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/groups/${id}`}
        searchLabel={t("search")}
        empty={actions}
      />
    </Screen>
  );
}

async function load({ nextResults, numberOfResults, orderBy, query, signal }: ListPage) {
  const search = { numberOfResults, orderBy, nextResults, ...(query && { name: query }) };
  const { groups = [], nextResults: next, total } = unwrap(await api.groups.search({ search }, { signal }));
  return { rows: groups, total, nextResults: next };
}

function toColumns(t: Translate): readonly Column<Group>[] {
  return [
    { id: "name", label: t("name"), sort: "name", cell: ({ name }) => name },
    {
      id: "roles",
      label: t("roles"),
      cell: ({ roles }) => (
        <span class="row">
          {Object.values(roles).flatMap((list) => list.map((role) => <Badge key={role.id}>{role.name}</Badge>))}
        </span>
      ),
    },
    { id: "tenant", label: t("tenant"), hidden: true, cell: ({ tenantId }) => <RecordName family="tenant" id={tenantId} /> },
    {
      id: "created",
      label: t("created"),
      sort: "insertInstant",
      cell: ({ insertInstant }) => <DateText value={insertInstant} />,
    },
    { id: "id", label: "ID", hidden: true, sort: "id", cell: ({ id }) => <Id value={id} /> },
  ];
}
