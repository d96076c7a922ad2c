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
import { Badge, DateText, Facts, Id } from "../../kit/values.js";
import { Access } from "./access.js";
import { OAuth } from "./oauth.js";
import { Registrations } from "./registrations.js";
import { Roles } from "./roles.js";
import { Saml } from "./saml.js";

/** An application as the API shows it. */
export type Application = (Awaited<ReturnType<typeof api.applications.retrieve>> & Success<unknown>)["value"]["application"];

/** The screen of one application: its roles, its users, and the effective access of a user. */
export default function ApplicationScreen({ params: { id = "" } }: ScreenParams) {
  const t = useMessages("applications");
  const {
    error,
    reload,
    value: application,
  } = useLoad(async () => unwrap(await api.applications.retrieve({ applicationId: id })).application, [id]);
  const crumbs = [{ label: t("title"), href: "/applications" }];
  if (application === undefined)
    return (
      <Screen title={t("application")} crumbs={crumbs}>
        {error === undefined ? <Loading /> : <Failed error={error} onRetry={reload} />}
      </Screen>
    );
  const state = <Badge kind={application.active ? "good" : "bad"}>{t(application.active ? "active" : "inactive")}</Badge>;
  const actions = <ApplicationActions application={application} reload={reload} />;
  return (
    <Screen title={application.name} subtitle={state} crumbs={crumbs} actions={actions}>
      <Tabs
        label={t("application")}
        tabs={[
          { id: "roles", label: t("roles"), render: () => <Roles application={application} reload={reload} /> },
          { id: "registrations", label: t("registrations"), render: () => <Registrations applicationId={id} /> },
          { id: "access", label: t("access"), render: () => <Access application={application} /> },
          { id: "oauth", label: t("oauth"), render: () => <OAuth application={application} reload={reload} /> },
          { id: "saml", label: t("saml"), render: () => <Saml application={application} reload={reload} /> },
          { id: "details", label: t("details"), render: () => <Details application={application} /> },
        ]}
      />
    </Screen>
  );
}

type Change = "deactivate" | "reactivate" | "remove";

function ApplicationActions({ application, reload }: { readonly application: Application; reload(): void }) {
  const t = useMessages("applications");
  const [change, setChange] = useState<Change>();
  const { active, id, name } = application;
  const canRemove = may("DELETE", "/api/application");
  const run = async (auditReason: string | undefined): Promise<void> => {
    if (change === "reactivate") unwrap(await api.applications.update({ applicationId: id, reactivate: true }, { auditReason }));
    else unwrap(await api.applications.remove({ applicationId: id, hardDelete: change === "remove" }, { auditReason }));
    notify(t(`${change}.done`));
    if (change === "remove") go("/applications");
    else reload();
  };
  const impact = async (): Promise<string> => {
    unwrap(await api.applications.remove({ applicationId: id, hardDelete: true }, { dryRun: true }));
    const search = { queryString: `registrations.applicationId:${id}`, numberOfResults: 0 };
    return t("removeImpact", { count: unwrap(await api.users.search({ search })).total });
  };
  return (
    <>
      {canRemove && (
        <button type="button" class="button" onClick={() => setChange(active ? "deactivate" : "reactivate")}>
          {t(active ? "deactivate" : "reactivate")}
        </button>
      )}
      {canRemove && (
        <button type="button" class="button danger" onClick={() => setChange("remove")}>
          {t("remove")}
        </button>
      )}
      {may("PATCH", "/api/application") && (
        <Link href={`/applications/${id}/edit`} class="button primary">
          {t("edit")}
        </Link>
      )}
      {change !== undefined && (
        <DangerDialog
          title={t(change)}
          confirmLabel={t(change)}
          name={change === "remove" ? name : undefined}
          impact={change === "reactivate" ? undefined : impact}
          isDangerous={change !== "reactivate"}
          onConfirm={run}
          onClose={() => setChange(undefined)}
        >
          <p>{t(`${change}.text`, { name })}</p>
        </DangerDialog>
      )}
    </>
  );
}

function Details({ application }: { readonly application: Application }) {
  const t = useMessages("applications");
  const { data, id, insertInstant, lastUpdateInstant, tenantId } = application;
  return (
    <Panel>
      <Facts
        rows={[
          ["ID", <Id key="id" value={id} />],
          [t("tenant"), <RecordName key="tenant" family="tenant" id={tenantId} />],
          [t("created"), <DateText key="created" value={insertInstant} exact />],
          [t("changed"), <DateText key="changed" value={lastUpdateInstant} exact />],
        ]}
      />
      <h2>{t("data")}</h2>
      <pre>{JSON.stringify(data, undefined, 2)}</pre>
    </Panel>
  );
}
