import { Link } from "wouter-preact";
import { api, type ItemOf, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { type Column, DataList, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { Screen } from "../../kit/screen.js";
import { Badge, DateText } from "../../kit/values.js";

type EntityType = ItemOf<Pick<Awaited<ReturnType<typeof load>>, "rows">>;

/** The list of all entity types, with their permissions. */
export default function TypesList() {
  const t = useMessages("entities");
  const actions = may("POST", "/api/entity/type") && (
    <Link href="/entities/types/new" class="button primary">
      <Icon name="plus" />
      {t("newType")}
    </Link>
  );
  return (
    <Screen title={t("types")} crumbs={[{ label: t("title"), href: "/entities" }]} actions={actions}>
      <DataList
        name="entity-types"
        label={t("types")}
        columns={toColumns(t)}
        load={load}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/entities/types/${id}`}
        searchLabel={t("searchTypes")}
        empty={actions}
      />
    </Screen>
  );
}

async function load({ nextResults, numberOfResults, orderBy, query, signal }: ListPage) {
  const search = { numberOfResults, orderBy, nextResults, ...(query && { name: query }) };
  const { entityTypes = [], nextResults: next, total } = unwrap(await api.entityTypes.search({ search }, { signal }));
  return { rows: entityTypes, total, nextResults: next };
}

function toColumns(t: Translate): readonly Column<EntityType>[] {
  return [
    { id: "name", label: t("name"), sort: "name", cell: ({ name }) => name },
    {
      id: "permissions",
      label: t("permissions"),
      cell: ({ permissions }) => (
        <span class="row">
          {permissions.map(({ id, name }) => (
            <Badge key={id}>{name}</Badge>
          ))}
        </span>
      ),
    },
    {
      id: "created",
      label: t("created"),
      sort: "insertInstant",
      cell: ({ insertInstant }) => <DateText value={insertInstant} />,
    },
  ];
}
