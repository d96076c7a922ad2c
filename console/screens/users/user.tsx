import { Link } from "wouter-preact";
import { api, type Success, unwrap } from "../../app/api.js";
import type { ScreenParams } from "../../app/area.js";
import { may } from "../../app/session.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { nameOfUser } from "../../kit/pickable.js";
import { Failed, Loading, Screen } from "../../kit/screen.js";
import { Tabs } from "../../kit/tabs.js";
import { Operations } from "./operations.js";
import { AccountsTab } from "./tabs/accounts.js";
import { ActionsTab } from "./tabs/actions.js";
import { FactorsTab } from "./tabs/factors.js";
import { GrantsTab } from "./tabs/grants.js";
import { GroupsTab } from "./tabs/groups.js";
import { PasskeysTab } from "./tabs/passkeys.js";
import { ProfileTab } from "./tabs/profile.js";
import { RegistrationsTab } from "./tabs/registrations.js";
import { SessionsTab } from "./tabs/sessions.js";
import { TimelineTab } from "./tabs/timeline.js";
import { UserState } from "./users-list.js";

type Answer = Awaited<ReturnType<typeof api.users.retrieve>> & Success<unknown>;
/** A user as the API shows it. */
export type User = Answer["value"]["user"];

/** The props of each tab of a user. */
export interface UserTabProps {
  readonly user: User;
  reload(): void;
}

/** The screen of one user and all related data. */
export default function UserScreen({ params: { id = "" } }: ScreenParams) {
  const t = useMessages("users");
  const { error, reload, value: user } = useLoad(async () => unwrap(await api.users.retrieve({ userId: id })).user, [id]);
  const crumbs = [{ label: t("title"), href: "/users" }];
  if (user === undefined)
    return (
      <Screen title={t("user")} crumbs={crumbs}>
        {error === undefined ? <Loading /> : <Failed error={error} onRetry={reload} />}
      </Screen>
    );
  const actions = (
    <>
      <Operations user={user} reload={reload} />
      {may("PATCH", "/api/user") && (
        <Link href={`/users/${id}/edit`} class="button primary">
          {t("edit")}
        </Link>
      )}
    </>
  );
  const tab = { user, reload };
  return (
    <Screen title={nameOfUser(user)} subtitle={<UserState user={user} />} crumbs={crumbs} actions={actions}>
      <Tabs
        label={t("user")}
        tabs={[
          { id: "profile", label: t("profile"), render: () => <ProfileTab {...tab} /> },
          { id: "registrations", label: t("registrations"), render: () => <RegistrationsTab {...tab} /> },
          { id: "groups", label: t("groups"), render: () => <GroupsTab {...tab} /> },
          { id: "grants", label: t("grants"), render: () => <GrantsTab {...tab} /> },
          { id: "factors", label: t("factors"), render: () => <FactorsTab {...tab} /> },
          { id: "passkeys", label: t("passkeys"), render: () => <PasskeysTab {...tab} /> },
          ...(may("GET", "/api/identity-provider/link")
            ? [{ id: "accounts", label: t("accounts"), render: () => <AccountsTab {...tab} /> }]
            : []),
          { id: "sessions", label: t("sessions"), render: () => <SessionsTab {...tab} /> },
          { id: "actions", label: t("actions"), render: () => <ActionsTab {...tab} /> },
          { id: "timeline", label: t("timeline"), render: () => <TimelineTab {...tab} /> },
        ]}
      />
    </Screen>
  );
}
