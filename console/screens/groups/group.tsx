import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, type Success, unwrap } from "../../app/api.js";
import type { ScreenParams } from "../../app/area.js";
import { may } from "../../app/session.js";
import { go } from "../../app/tenant.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { RecordName } from "../../kit/picker.js";
import { Failed, Loading, Panel, Screen } from "../../kit/screen.js";
import { Tabs } from "../../kit/tabs.js";
import { notify } from "../../kit/toast.js";
import { DateText, Facts, Id } from "../../kit/values.js";
import { Members } from "./members.js";
import { Roles } from "./roles.js";

/** A group as the API shows it. */
export type Group = (Awaited<ReturnType<typeof api.groups.retrieve>> & Success<unknown>)["value"]["group"];

/** The screen of one group: its members, the roles that they inherit, and its details. */
export default function GroupScreen({ params: { id = "" } }: ScreenParams) {
  const t = useMessages("groups");
  const [isRemoving, setRemoving] = useState(false);
  const { error, reload, value: group } = useLoad(async () => unwrap(await api.groups.retrieve({ groupId: id })).group, [id]);
  const crumbs = [{ label: t("title"), href: "/groups" }];
  if (group === undefined)
    return (
      <Screen title={t("group")} crumbs={crumbs}>
        {error === undefined ? <Loading /> : <Failed error={error} onRetry={reload} />}
      </Screen>
    );
  return (
    <Screen title={group.name} crumbs={crumbs} actions={<GroupActions group={group} onRemove={() => setRemoving(true)} />}>
      <Tabs
        label={t("group")}
        tabs={[
          { id: "members", label: t("members"), render: () => <Members groupId={id} /> },
          { id: "roles", label: t("roles"), render: () => <Roles group={group} reload={reload} /> },
          { id: "details", label: t("details"), render: () => <Details group={group} /> },
        ]}
      />
      {isRemoving && <RemoveGroup group={group} onClose={() => setRemoving(false)} />}
    </Screen>
  );
}

function GroupActions({ group, onRemove }: { readonly group: Group; onRemove(): void }) {
  const t = useMessages("groups");
  return (
    <>
      {may("DELETE", "/api/group") && (
        <button type="button" class="button danger" onClick={onRemove}>
          {t("remove")}
        </button>
      )}
      {may("PATCH", "/api/group") && (
        <Link href={`/groups/${group.id}/edit`} class="button primary">
          {t("edit")}
        </Link>
      )}
    </>
  );
}

function RemoveGroup({ group: { id, name }, onClose }: { readonly group: Group; onClose(): void }) {
  const t = useMessages("groups");
  const impact = async (): Promise<string> => {
    unwrap(await api.groups.remove({ groupId: id }, { dryRun: true }));
    const { total } = unwrap(await api.groupMembers.search({ search: { groupId: id, numberOfResults: 0 } }));
    return t("removeImpact", { count: total });
  };
  const remove = async (auditReason: string | undefined): Promise<void> => {
    unwrap(await api.groups.remove({ groupId: id }, { auditReason }));
    notify(t("removed"));
    go("/groups");
  };
  return (
    <DangerDialog title={t("remove")} name={name} impact={impact} confirmLabel={t("remove")} onConfirm={remove} onClose={onClose}>
      <p>{t("removeText", { name })}</p>
    </DangerDialog>
  );
}

function Details({ group }: { readonly group: Group }) {
  const t = useMessages("groups");
  return (
    <Panel>
      <Facts
        rows={[
          ["ID", <Id key="id" value={group.id} />],
          [t("tenant"), <RecordName key="tenant" family="tenant" id={group.tenantId} />],
          [t("created"), <DateText key="created" value={group.insertInstant} exact />],
          [t("changed"), <DateText key="changed" value={group.lastUpdateInstant} exact />],
        ]}
      />
      <h2>{t("data")}</h2>
      <pre>{JSON.stringify(group.data, undefined, 2)}</pre>
    </Panel>
  );
}
