import { api, type ItemOf, unwrap } from "../../app/api.js";
import { type Column, DataList, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { nameOfUser, toUserQuery } from "../../kit/pickable.js";
import { Badge, DateText } from "../../kit/values.js";

type Row = ItemOf<Pick<Awaited<ReturnType<typeof load>>, "rows">>;

/** Lists the users registered to an application, with their roles there. */
export function Registrations({ applicationId }: { readonly applicationId: string }) {
  const t = useMessages("applications");
  return (
    <DataList
      name="registrations"
      label={t("registrations")}
      columns={toColumns(t)}
      load={(page) => load(applicationId, page)}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/users/${id}/registrations/${applicationId}`}
      searchLabel={t("searchUsers")}
      filters={[{ id: "role", label: t("role"), kind: "text" }]}
    />
  );
}

async function load(applicationId: string, { filters, nextResults, numberOfResults, orderBy, query, signal }: ListPage) {
  const text = toUserQuery(query);
  const role = filters["role"]?.replace(/["\\]/g, "");
  const parts = [
    `registrations.applicationId:${applicationId}`,
    ...(text === "*" ? [] : [`(${text})`]),
    ...(role ? [`registrations.roles:"${role}"`] : []),
  ];
  const search = { queryString: parts.join(" AND "), numberOfResults, orderBy, nextResults };
  const { nextResults: next, total, users = [] } = unwrap(await api.users.search({ search }, { signal }));
  const rows = users.map((user) => ({
    id: user.id,
    name: nameOfUser(user),
    registration: user.registrations.find((registration) => registration.applicationId === applicationId),
  }));
  return { rows, total, nextResults: next };
}

function toColumns(t: Translate): readonly Column<Row>[] {
  return [
    { id: "user", label: t("user"), sort: "email", cell: ({ name }) => name },
    {
      id: "roles",
      label: t("roles"),
      cell: ({ registration }) => (
        <span class="row">
          {registration?.roles.map((role) => (
            <Badge key={role} kind="accent">
              {role}
            </Badge>
          ))}
        </span>
      ),
    },
    { id: "lastLogin", label: t("lastLogin"), cell: ({ registration }) => <DateText value={registration?.lastLoginInstant} /> },
    { id: "created", label: t("created"), cell: ({ registration }) => <DateText value={registration?.insertInstant} /> },
  ];
}
