import { useState } from "preact/hooks";
import { api, unwrap } from "../../app/api.js";
import type { ScreenParams } from "../../app/area.js";
import { may } from "../../app/session.js";
import { go } from "../../app/tenant.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { RecordForm } from "../../kit/record-form/index.js";
import { pairsControl } from "../../kit/record-form/pairs-control.js";
import { Failed, Loading, Screen } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { policiesControl } from "../connectors/policies-control.js";

const passkeyFields = [
  "enabled",
  "relyingPartyId",
  "relyingPartyName",
  "bootstrapWorkflow",
  "reauthenticationWorkflow",
  "secondFactorWorkflow",
  "debug",
].map((name) => `webAuthnConfiguration.${name}`);

/** The form that creates or changes a tenant. Can also remove it with all of its data. */
export default function TenantEdit({ params: { id } }: ScreenParams) {
  const t = useMessages("tenants");
  const [isRemoving, setRemoving] = useState(false);
  const read = async () => {
    if (id === undefined) return { record: undefined, etag: undefined };
    const result = await api.tenants.retrieve({ tenantId: id });
    return { record: unwrap(result).tenant, etag: result.ok ? result.etag : undefined };
  };
  const { error, reload, value } = useLoad(read, [id]);
  const name = value?.record?.name ?? "";
  const actions = id !== undefined && may("DELETE", "/api/tenant") && (
    <button type="button" class="button danger" onClick={() => setRemoving(true)}>
      {t("remove")}
    </button>
  );
  return (
    <Screen
      title={id === undefined ? t("new") : name || t("tenant")}
      crumbs={[{ label: t("title"), href: "/tenants" }]}
      actions={actions}
    >
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && (
        <RecordForm
          schema="Tenant"
          record={value.record}
          etag={value.etag}
          draft={`tenant:${id ?? "new"}`}
          messages="tenants"
          layout={[
            { title: t("basics"), fields: ["name", "issuer"] },
            { title: t("passwords"), fields: ["connectorPolicies"] },
            { title: t("passkeys"), fields: passkeyFields },
            { title: t("lambdaValues"), fields: ["lambdaConfiguration.constants", "lambdaConfiguration.secrets"] },
          ]}
          controls={{ connectorPolicies: policiesControl, "lambdaConfiguration.secrets": pairsControl }}
          events={[id === undefined ? "tenant.create" : "tenant.update"]}
          affected={async () => {
            const search = { queryString: "*", tenantId: id, numberOfResults: 0 };
            return id !== undefined && t("affected", { count: unwrap(await api.users.search({ search })).total });
          }}
          onSave={(tenant, options) =>
            id === undefined
              ? api.tenants.create({ tenant: { name: "", ...tenant } }, options)
              : api.tenants.patch({ tenantId: id, patch: { tenant }, mode: "merge" }, options)
          }
          onSaved={() => (id === undefined ? go("/tenants") : reload())}
          onReload={async () => {
            const { etag, record } = await read();
            return { record: record ?? {}, etag };
          }}
        />
      )}
      {isRemoving && id !== undefined && <RemoveTenant id={id} name={name} onClose={() => setRemoving(false)} />}
    </Screen>
  );
}

function RemoveTenant({ id, name, onClose }: { readonly id: string; readonly name: string; onClose(): void }) {
  const t = useMessages("tenants");
  const impact = async (): Promise<string> => {
    unwrap(await api.tenants.remove({ tenantId: id }, { dryRun: true }));
    const [users, applications, groups] = await Promise.all([
      api.users.search({ search: { queryString: "*", tenantId: id, numberOfResults: 0 } }),
      api.applications.search({ search: { tenantId: id, numberOfResults: 0 } }),
      api.groups.search({ search: { tenantId: id, numberOfResults: 0 } }),
    ]);
    return t("removeImpact", {
      users: unwrap(users).total,
      applications: unwrap(applications).total,
      groups: unwrap(groups).total,
    });
  };
  const remove = async (auditReason: string | undefined): Promise<void> => {
    unwrap(await api.tenants.remove({ tenantId: id, async: true }, { auditReason }));
    notify(t("removed"));
    go("/tenants");
  };
  return (
    <DangerDialog title={t("remove")} name={name} impact={impact} confirmLabel={t("remove")} onConfirm={remove} onClose={onClose}>
      <p>{t("removeText", { name })}</p>
    </DangerDialog>
  );
}
