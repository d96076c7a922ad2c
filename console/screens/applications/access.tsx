import { Link } from "wouter-preact";
import { api, unwrap } from "../../app/api.js";
import { Field } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Picker } from "../../kit/picker.js";
import { Failed, Loading, Panel } from "../../kit/screen.js";
import { useUrlState } from "../../kit/url-state.js";
import { Badge } from "../../kit/values.js";
import type { Application } from "./application.js";

/** Shows the roles of a user in an application and the source of each: the registration or a group. */
export function Access({ application }: { readonly application: Application }) {
  const t = useMessages("applications");
  const [userId, setUserId] = useUrlState("user");
  return (
    <Panel title={t("access")}>
      <p class="hint">{t("accessText")}</p>
      <Field label={t("user")}>
        <Picker family="user" value={userId} onChange={(id) => setUserId(id)} />
      </Field>
      {userId !== "" && <Explained key={userId} application={application} userId={userId} />}
    </Panel>
  );
}

function Explained({ application, userId }: { readonly application: Application; readonly userId: string }) {
  const t = useMessages("applications");
  const { error, reload, value } = useLoad(() => explain(application.id, userId), [application, userId]);
  if (error !== undefined) return <Failed error={error} onRetry={reload} />;
  if (value === undefined) return <Loading lines={2} />;
  if (!value.isRegistered) return <p class="banner warn">{t("notRegistered")}</p>;
  return (
    <ul class="stack">
      {application.roles.map((role) => (
        <li key={role.id} class="row">
          <Badge kind={value.reasons.has(role.name) ? "good" : "neutral"}>{role.name}</Badge>
          {value.reasons
            .get(role.name)
            ?.map(({ groupId, text }) => (
              <span key={text}>
                {groupId === undefined ? (
                  t("byRegistration")
                ) : (
                  <Link href={`/groups/${groupId}?tab=roles`}>{t("byGroup", { name: text })}</Link>
                )}
              </span>
            )) ?? <span class="faint">{t("notGiven")}</span>}
        </li>
      ))}
    </ul>
  );
}

interface Reason {
  readonly groupId: string | undefined;
  readonly text: string;
}

async function explain(applicationId: string, userId: string) {
  const { user } = unwrap(await api.users.retrieve({ userId }));
  const registration = user.registrations.find((one) => one.applicationId === applicationId);
  const reasons = new Map<string, readonly Reason[]>();
  const add = (role: string, reason: Reason): void => {
    reasons.set(role, [...(reasons.get(role) ?? []), reason]);
  };
  for (const role of registration?.roles ?? []) add(role, { groupId: undefined, text: "" });
  for (const { groupId = "" } of user.memberships) {
    const { group } = unwrap(await api.groups.retrieve({ groupId }));
    for (const role of group.roles[applicationId] ?? []) add(role.name, { groupId, text: group.name });
  }
  return { isRegistered: registration !== undefined, reasons };
}
