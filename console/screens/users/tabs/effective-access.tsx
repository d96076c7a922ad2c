import { Link } from "wouter-preact";
import { api, unwrap } from "../../../app/api.js";
import { useMessages } from "../../../kit/i18n.js";
import { useLoad } from "../../../kit/load.js";
import { RecordName } from "../../../kit/picker.js";
import { Failed, Loading, Panel } from "../../../kit/screen.js";
import { TableFrame } from "../../../kit/table-frame.js";
import { Badge } from "../../../kit/values.js";
import type { User } from "../user.js";

interface Access {
  readonly applicationId: string;
  readonly role: string;
  /** The group that gives the role; undefined if the registration gives it. */
  readonly group: { readonly id: string; readonly name: string } | undefined;
  /** Whether the user is registered. Without a registration, the roles of groups have no effect. */
  readonly holds: boolean;
}

/** Lists every role of a user and its source: the registration or a group. */
export function EffectiveAccess({ user }: { readonly user: User }) {
  const t = useMessages("users");
  const { error, reload, value } = useLoad(() => findAccess(user), [user]);
  return (
    <Panel title={t("access")}>
      <p class="hint">{t("accessText")}</p>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading lines={2} />}
      {value !== undefined && value.length === 0 && <p>{t("noAccess")}</p>}
      {value !== undefined && value.length > 0 && <AccessTable rows={value} />}
    </Panel>
  );
}

function AccessTable({ rows }: { readonly rows: readonly Access[] }) {
  const t = useMessages("users");
  return (
    <TableFrame label={t("access")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("application")}</th>
            <th scope="col">{t("role")}</th>
            <th scope="col">{t("because")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ applicationId, group, holds, role }) => (
            <tr key={applicationId + role + group?.id}>
              <td>
                <RecordName family="application" id={applicationId} />
              </td>
              <td>
                <Badge kind={holds ? "accent" : "neutral"}>{role}</Badge>
              </td>
              <td>
                {group === undefined ? (
                  t("byRegistration")
                ) : (
                  <Link href={`/groups/${group.id}`}>{t("byGroup", { name: group.name })}</Link>
                )}
                {!holds && <span class="faint"> {t("needsRegistration")}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

async function findAccess({ memberships, registrations }: User): Promise<readonly Access[]> {
  const registered = new Set(registrations.map(({ applicationId }) => applicationId));
  const groups = await Promise.all(
    memberships.slice(0, 100).map(async ({ groupId = "" }) => unwrap(await api.groups.retrieve({ groupId })).group),
  );
  const own = registrations.flatMap(({ applicationId, roles }) =>
    roles.map((role) => ({ applicationId, role, group: undefined, holds: true })),
  );
  const inherited = groups.flatMap(({ id, name, roles }) =>
    Object.entries(roles).flatMap(([applicationId, list]) =>
      list.map((role) => ({ applicationId, role: role.name, group: { id, name }, holds: registered.has(applicationId) })),
    ),
  );
  return [...own, ...inherited].sort((a, b) => (a.applicationId < b.applicationId ? -1 : 1));
}
