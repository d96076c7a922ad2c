import { api, unwrap } from "../../app/api.js";
import { type Column, DataList, type ListPage, type ListResult } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { nameOfUser } from "../../kit/pickable.js";
import { Empty } from "../../kit/screen.js";
import { DateText } from "../../kit/values.js";
import { searched, toCriteria } from "../records/pages.js";

interface LinkRow {
  readonly id: string;
  readonly userId: string;
  readonly identityProviderUserId: string;
  readonly displayName?: string | undefined;
  readonly insertInstant: number;
  readonly lastLoginInstant?: number | undefined;
  /** The name of the user in this service. */
  readonly name: string;
}

/** Lists the users with linked accounts at a provider, with their number. */
export function LinkedUsers({ identityProviderId }: { readonly identityProviderId: string }) {
  const t = useMessages("providers");
  return (
    <>
      <p class="hint">{t("linkedUsersHint")}</p>
      <DataList
        name="linked-users"
        label={t("linkedUsers")}
        columns={columnsOf(t)}
        load={(page) => loadLinks(identityProviderId, page)}
        rowKey={({ id }) => id}
        rowHref={({ userId }) => `/users/${userId}?tab=accounts`}
        empty={<Empty title={t("noLinkedUsers")} />}
      />
    </>
  );
}

function columnsOf(t: Translate): readonly Column<LinkRow>[] {
  return [
    { id: "user", label: t("user"), cell: ({ name }) => name },
    {
      id: "account",
      label: t("accountThere"),
      cell: ({ displayName, identityProviderUserId }) => displayName ?? identityProviderUserId,
    },
    {
      id: "linkedSince",
      label: t("linkedSince"),
      sort: "insertInstant",
      cell: ({ insertInstant }) => <DateText value={insertInstant} />,
    },
    { id: "lastLogin", label: t("lastLogin"), cell: ({ lastLoginInstant }) => <DateText value={lastLoginInstant} /> },
  ];
}

async function loadLinks(identityProviderId: string, page: ListPage): Promise<ListResult<LinkRow>> {
  const search = toCriteria(page, { identityProviderId });
  const call = api.identityProviderLinks.search({ search }, { signal: page.signal });
  const found = await searched(call, ({ identityProviderLinks }) => identityProviderLinks ?? []);
  const names = await readNames(
    found.rows.map(({ userId }) => userId),
    page.signal,
  );
  return { ...found, rows: found.rows.map((link) => ({ ...link, name: names.get(link.userId) ?? link.userId })) };
}

// Reads all users of a page in one request. Ids that the service does not know belong to users of the host.
async function readNames(userIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(userIds)];
  if (ids.length === 0) return new Map();
  const { users = [] } = unwrap(await api.users.search({ search: { ids, numberOfResults: ids.length } }, { signal }));
  return new Map(users.map((user) => [user.id, nameOfUser(user)]));
}
