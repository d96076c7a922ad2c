import { Link } from "wouter-preact";
import { api, type ItemOf, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { tenantId } from "../../app/tenant.js";
import { type Column, DataList, type Filter, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { Picker, RecordName } from "../../kit/picker.js";
import { Screen } from "../../kit/screen.js";
import { DateText, Id } from "../../kit/values.js";

type Entity = ItemOf<Pick<Awaited<ReturnType<typeof load>>, "rows">>;

/** The list of all entities. */
export default function EntitiesList() {
  const t = useMessages("entities");
  const create = may("POST", "/api/entity") && (
    <Link href="/entities/new" class="button primary">
      <Icon name="plus" />
      {t("new")}
    </Link>
  );
  const actions = (
    <>
      <Link href="/entities/types" class="button">
        {t("types")}
      </Link>
      {create}
    </>
  );
  return (
    <Screen title={t("title")} actions={actions}>
      <DataList
        name="entities"
        label={t("title")}
        columns={toColumns(t)}
        load={load}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/entities/${id}`}
        searchLabel={t("search")}
        filters={toFilters(t)}
        empty={create}
      />
    </Screen>
  );
}

async function load({ filters, nextResults, numberOfResults, orderBy, query, signal }: ListPage) {
  const word = query.replace(/["\\*]/g, "");
  const type = filters["type"];
  const parts = [...(word ? [`name:"*${word}*"`] : []), ...(type ? [`type.id:${type}`] : [])];
  const search = { queryString: parts.join(" AND ") || "*", numberOfResults, orderBy, nextResults, tenantId: tenantId.value };
  const { entities = [], nextResults: next, total } = unwrap(await api.entities.search({ search }, { signal }));
  return { rows: entities, total, nextResults: next };
}

function toColumns(t: Translate): readonly Column<Entity>[] {
  return [
    { id: "name", label: t("name"), sort: "name", cell: ({ name }) => name },
    { id: "type", label: t("type"), cell: ({ type }) => <RecordName family="entityType" id={type.id} /> },
    { id: "clientId", label: t("clientId"), cell: ({ clientId }) => <code>{clientId}</code> },
    { id: "created", label: t("created"), cell: ({ insertInstant }) => <DateText value={insertInstant} /> },
    { id: "id", label: "ID", hidden: true, cell: ({ id }) => <Id value={id} /> },
  ];
}

function toFilters(t: Translate): readonly Filter[] {
  const label = t("type");
  return [
    {
      id: "type",
      label,
      render: (value, onChange) => (
        <Picker family="entityType" value={value} onChange={(id) => onChange(id)} placeholder={label} aria-label={label} />
      ),
    },
  ];
}
