import { api, unwrap } from "../../../app/api.js";
import { useMessages } from "../../../kit/i18n.js";
import { useLoad } from "../../../kit/load.js";
import { RecordName } from "../../../kit/picker.js";
import { Panel } from "../../../kit/screen.js";
import { TableFrame } from "../../../kit/table-frame.js";
import { Badge, DateText, Facts, Id } from "../../../kit/values.js";
import type { UserTabProps } from "../user.js";

/** The profile of a user: names, login ids, consents, links to other accounts, metadata. */
export function ProfileTab({ user }: UserTabProps) {
  const t = useMessages("users");
  return (
    <>
      <div class="columns">
        <Panel title={t("profile")}>
          <Facts
            rows={[
              ["ID", <Id key="id" value={user.id} />],
              [t("fullName"), user.fullName ?? [user.firstName, user.lastName].filter(Boolean).join(" ")],
              [t("birthDate"), user.birthDate],
              [t("mobilePhone"), user.mobilePhone],
              [t("languages"), user.preferredLanguages.join(", ")],
              [t("timezone"), user.timezone],
              [t("tenant"), <RecordName key="tenant" family="tenant" id={user.tenantId} />],
            ]}
          />
        </Panel>
        <Panel title={t("account")}>
          <Facts
            rows={[
              [t("created"), <DateText key="created" value={user.insertInstant} exact />],
              [t("changed"), <DateText key="changed" value={user.lastUpdateInstant} exact />],
              [t("lastLogin"), <DateText key="login" value={user.lastLoginInstant} exact />],
              [t("passwordChanged"), <DateText key="password" value={user.passwordLastUpdateInstant} exact />],
              [t("passwordChangeRequired"), t(user.passwordChangeRequired ? "yes" : "no")],
              [t("breached"), user.breachedPasswordStatus],
              [t("expiry"), <DateText key="expiry" value={user.expiry} exact />],
            ]}
          />
        </Panel>
      </div>
      <Panel title={t("identities")}>
        <TableFrame label={t("identities")}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("kind")}</th>
                <th scope="col">{t("value")}</th>
                <th scope="col">{t("verified")}</th>
              </tr>
            </thead>
            <tbody>
              {user.identities.map(({ type, value, verified }) => (
                <tr key={type}>
                  <th scope="row">{type}</th>
                  <td>{value}</td>
                  <td>
                    <Badge kind={verified ? "good" : "warn"}>{t(verified ? "yes" : "no")}</Badge>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      </Panel>
      <Links userId={user.id} />
      <Panel title={t("data")}>
        <pre>{JSON.stringify(user.data, undefined, 2)}</pre>
      </Panel>
    </>
  );
}

function Links({ userId }: { readonly userId: string }) {
  const t = useMessages("users");
  const { value } = useLoad(async () => {
    const [links, consents] = await Promise.all([api.identityProviderLinks.find({ userId }), api.userConsents.list({ userId })]);
    const found = unwrap(links);
    return {
      links: "identityProviderLinks" in found ? found.identityProviderLinks : [],
      consents: unwrap(consents).userConsents,
    };
  }, [userId]);
  if (value === undefined || value.links.length + value.consents.length === 0) return null;
  return (
    <Panel title={t("links")}>
      <Facts
        rows={[
          ...value.links.map((link) => [link.displayName ?? link.identityProviderUserId, link.identityProviderId] as const),
          ...value.consents.map(
            ({ consent, status }) => [consent?.name ?? t("consent"), <Badge key={consent?.id}>{status}</Badge>] as const,
          ),
        ]}
      />
    </Panel>
  );
}
