import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, type ItemOf, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { tenantId } from "../../app/tenant.js";
import { type Column, DataList, type Filter, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { Icon } from "../../kit/icons.js";
import { nameOfUser } from "../../kit/pickable.js";
import { Picker } from "../../kit/picker.js";
import { Screen } from "../../kit/screen.js";
import { Badge, DateText, Id } from "../../kit/values.js";
import { BulkActions } from "./bulk/bulk-actions.js";
import { ExportButton } from "./export-button.js";
import { toQueryString } from "./query.js";
import { SearchHelp } from "./search-help.js";

type User = ItemOf<Awaited<ReturnType<typeof search>>>;

/** The list of all users, searched by the grammar of the API, with selectable columns. */
export default function UsersList() {
  const t = useMessages("users");
  const [version, setVersion] = useState(0);
  const actions = may("POST", "/api/user") && (
    <Link href="/users/new" class="button primary">
      <Icon name="plus" />
      {t("new")}
    </Link>
  );
  return (
    <Screen title={t("title")} actions={actions}>
      <DataList
        name="users"
        label={t("title")}
        columns={toColumns(t)}
        load={load}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/users/${id}`}
        searchLabel={t("search")}
        searchHelp={<SearchHelp />}
        filters={toFilters(t)}
        toolbar={(state) => <ExportButton query={toQueryString(state.query, state.filters)} />}
        selection={(selection) => <BulkActions selection={selection} onDone={() => setVersion(version + 1)} />}
        version={version}
        empty={actions}
      />
    </Screen>
  );
}

async function search({ filters, nextResults, numberOfResults, orderBy, query, signal }: ListPage) {
  const queryString = toQueryString(query, filters);
  const criteria = { queryString, numberOfResults, orderBy, nextResults, tenantId: tenantId.value };
  const { nextResults: next, total, users = [] } = unwrap(await api.users.search({ search: criteria }, { signal }));
  return { users, total, nextResults: next };
}

async function load(page: ListPage) {
  const { nextResults, total, users } = await search(page);
  return { rows: users, total, nextResults };
}

function toColumns(t: Translate): readonly Column<User>[] {
  return [
    { id: "login", label: t("login"), sort: "email", cell: nameOfUser },
    {
      id: "fullName",
      label: t("fullName"),
      sort: "fullName",
      cell: ({ firstName, fullName, lastName }) => fullName ?? [firstName, lastName].filter(Boolean).join(" "),
    },
    { id: "state", label: t("state"), cell: (user) => <UserState user={user} /> },
    { id: "registrations", label: t("registrations"), align: "end", cell: ({ registrations }) => registrations.length },
    { id: "lastLogin", label: t("lastLogin"), cell: ({ lastLoginInstant }) => <DateText value={lastLoginInstant} /> },
    {
      id: "created",
      label: t("created"),
      sort: "insertInstant",
      cell: ({ insertInstant }) => <DateText value={insertInstant} />,
    },
    { id: "username", label: t("username"), sort: "username", hidden: true, cell: ({ username }) => username },
    { id: "phoneNumber", label: t("phoneNumber"), hidden: true, cell: ({ phoneNumber }) => phoneNumber },
    { id: "mobilePhone", label: t("mobilePhone"), hidden: true, cell: ({ mobilePhone }) => mobilePhone },
    { id: "birthDate", label: t("birthDate"), hidden: true, sort: "birthDate", cell: ({ birthDate }) => birthDate },
    { id: "groups", label: t("groups"), hidden: true, align: "end", cell: ({ memberships }) => memberships.length },
    { id: "tenant", label: t("tenant"), hidden: true, cell: (user) => user.tenantId },
    { id: "id", label: "ID", hidden: true, sort: "id", cell: ({ id }) => <Id value={id} /> },
  ];
}

/** Shows whether a user can log in, is verified, and has a second factor. */
export function UserState({
  user,
}: {
  readonly user: Pick<User, "active" | "verified" | "usernameStatus"> & { readonly twoFactor?: unknown };
}) {
  const t = useMessages("users");
  return (
    <span class="row">
      <Badge kind={user.active ? "good" : "bad"}>{t(user.active ? "active" : "inactive")}</Badge>
      {!user.verified && <Badge kind="warn">{t("unverified")}</Badge>}
      {user.twoFactor !== undefined && <Badge kind="accent">{t("twoFactor")}</Badge>}
    </span>
  );
}

function toFilters(t: Translate): readonly Filter[] {
  return [
    {
      id: "active",
      label: t("state"),
      options: [
        { value: "true", label: t("active") },
        { value: "false", label: t("inactive") },
      ],
    },
    {
      id: "application",
      label: t("application"),
      render: (value, onChange) => (
        <Picker
          family="application"
          value={value}
          onChange={onChange}
          placeholder={t("application")}
          aria-label={t("application")}
        />
      ),
    },
    {
      id: "group",
      label: t("group"),
      render: (value, onChange) => (
        <Picker family="group" value={value} onChange={onChange} placeholder={t("group")} aria-label={t("group")} />
      ),
    },
  ];
}
