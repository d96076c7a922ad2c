import { Link } from "wouter-preact";
import { api, type Result, sayFailure, unwrap } from "../../app/api.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { nameOfUser } from "../../kit/pickable.js";
import { Badge, Facts } from "../../kit/values.js";

interface OutcomeProps {
  readonly result: Result<object>;
  readonly identityProviderId: string;
}

interface LoginAnswer {
  readonly user?: { readonly id: string; readonly email?: string; readonly username?: string };
  readonly pendingIdPLinkId?: string;
}

const explained = [400, 404, 409, 502];

const statuses = [200, 202, 203, 212, 213, 232, 242];

/** Explains the result of a login through a provider: the user and the account, or the cause of the failure. */
export function LoginOutcome({ identityProviderId, result }: OutcomeProps) {
  const t = useMessages("providers");
  if (!result.ok)
    return (
      <div class="banner bad" role="alert">
        <div>
          <p>{`${sayFailure(result)} (HTTP ${result.status})`}</p>
          {explained.includes(result.status ?? 0) && <p>{t(`failed.${result.status}`)}</p>}
        </div>
      </div>
    );
  const { pendingIdPLinkId, user } = result.value as LoginAnswer;
  return (
    <div role="status" class="stack">
      <p>
        <Badge kind={result.status === 200 ? "good" : "warn"}>{`HTTP ${result.status}`}</Badge>{" "}
        {statuses.includes(result.status ?? 0) ? t(`answer.${result.status}`) : ""}
      </p>
      {user !== undefined && <LoggedIn user={user} identityProviderId={identityProviderId} />}
      {pendingIdPLinkId !== undefined && <Waiting pendingLinkId={pendingIdPLinkId} />}
    </div>
  );
}

function LoggedIn({
  identityProviderId,
  user,
}: {
  readonly user: NonNullable<LoginAnswer["user"]>;
  readonly identityProviderId: string;
}) {
  const t = useMessages("providers");
  const { value: links = [] } = useLoad(async () => {
    const found = unwrap(await api.identityProviderLinks.find({ identityProviderId, userId: user.id }));
    return "identityProviderLinks" in found ? found.identityProviderLinks : [found.identityProviderLink];
  }, [user.id]);
  return (
    <Facts
      rows={[
        [
          t("user"),
          <Link key="user" href={`/users/${user.id}?tab=accounts`}>
            {nameOfUser(user)}
          </Link>,
        ],
        ...links.map(
          ({ displayName, id, identityProviderUserId }) =>
            [t("accountThere"), <Account key={id} name={displayName} id={identityProviderUserId} />] as const,
        ),
      ]}
    />
  );
}

function Waiting({ pendingLinkId }: { readonly pendingLinkId: string }) {
  const t = useMessages("providers");
  const { value } = useLoad(async () => {
    return unwrap(await api.identityProviderLinks.retrievePending({ pendingLinkId })).pendingIdPLink;
  }, [pendingLinkId]);
  if (value === undefined) return null;
  const { displayName, email, identityProviderUserId, username } = value;
  return (
    <Facts
      rows={[
        [t("accountThere"), <Account key="account" name={displayName} id={identityProviderUserId} />],
        [t("email"), email],
        [t("username"), username],
      ]}
    />
  );
}

function Account({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  return (
    <span>
      {name} <code>{id}</code>
    </span>
  );
}
