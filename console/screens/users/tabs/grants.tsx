import { api, type ItemOf, unwrap } from "../../../app/api.js";
import { type Column, DataList, type ListPage } from "../../../kit/data-list/index.js";
import { useMessages } from "../../../kit/i18n.js";
import { Panel } from "../../../kit/screen.js";
import { Badge, DateText } from "../../../kit/values.js";
import type { UserTabProps } from "../user.js";

type Grant = ItemOf<Pick<Awaited<ReturnType<typeof load>>, "rows">>;

/** The entities on which a user has permissions. */
export function GrantsTab({ user }: UserTabProps) {
  const t = useMessages("users");
  const columns: readonly Column<Grant>[] = [
    { id: "entity", label: t("entity"), sort: "name", cell: ({ entity }) => entity?.name ?? "–" },
    {
      id: "permissions",
      label: t("permissions"),
      cell: ({ permissions }) => (
        <span class="row">
          {permissions.map((permission) => (
            <Badge key={permission} kind="accent">
              {permission}
            </Badge>
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
  return (
    <Panel title={t("grants")}>
      <DataList
        name="user-grants"
        label={t("grants")}
        columns={columns}
        load={(page) => load(user.id, page)}
        rowKey={({ id }) => id}
        rowHref={({ entity }) => `/entities/${entity?.id}`}
        searchLabel={t("searchEntities")}
      />
    </Panel>
  );
}

async function load(userId: string, { nextResults, numberOfResults, orderBy, query, signal }: ListPage) {
  const search = { userId, numberOfResults, orderBy, nextResults, ...(query && { name: query }) };
  const { grants = [], nextResults: next, total } = unwrap(await api.entityGrants.search({ search }, { signal }));
  return { rows: grants, total, nextResults: next };
}
