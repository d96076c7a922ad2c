import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, unwrap } from "../../app/api.js";
import type { ScreenParams } from "../../app/area.js";
import { may } from "../../app/session.js";
import { go } from "../../app/tenant.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { RecordName } from "../../kit/picker.js";
import { Failed, Loading, Panel, Screen } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { DateText, Facts, Id, Secret } from "../../kit/values.js";
import { Grants } from "./grants.js";

/** The screen of one entity and the grants on it. */
export default function EntityScreen({ params: { id = "" } }: ScreenParams) {
  const t = useMessages("entities");
  const [isRemoving, setRemoving] = useState(false);
  const {
    error,
    reload,
    value: entity,
  } = useLoad(async () => unwrap(await api.entities.retrieve({ entityId: id })).entity, [id]);
  const crumbs = [{ label: t("title"), href: "/entities" }];
  if (entity === undefined)
    return (
      <Screen title={t("entity")} crumbs={crumbs}>
        {error === undefined ? <Loading /> : <Failed error={error} onRetry={reload} />}
      </Screen>
    );
  const actions = (
    <>
      {may("DELETE", "/api/entity") && (
        <button type="button" class="button danger" onClick={() => setRemoving(true)}>
          {t("remove")}
        </button>
      )}
      {may("PATCH", "/api/entity") && (
        <Link href={`/entities/${id}/edit`} class="button primary">
          {t("edit")}
        </Link>
      )}
    </>
  );
  return (
    <Screen title={entity.name} crumbs={crumbs} actions={actions}>
      <Panel title={t("details")}>
        <Facts
          rows={[
            ["ID", <Id key="id" value={entity.id} />],
            [
              t("type"),
              <Link key="type" href={`/entities/types/${entity.type.id}`}>
                <RecordName family="entityType" id={entity.type.id} />
              </Link>,
            ],
            [t("clientId"), <Id key="client" value={entity.clientId} />],
            [
              t("clientSecret"),
              entity.clientSecret === undefined ? undefined : <Secret key="secret" value={entity.clientSecret} />,
            ],
            [t("tenant"), <RecordName key="tenant" family="tenant" id={entity.tenantId} />],
            [t("created"), <DateText key="created" value={entity.insertInstant} exact />],
          ]}
        />
      </Panel>
      <Grants entityId={id} entityTypeId={entity.type.id} />
      {isRemoving && <RemoveEntity id={id} name={entity.name} onClose={() => setRemoving(false)} />}
    </Screen>
  );
}

function RemoveEntity({ id, name, onClose }: { readonly id: string; readonly name: string; onClose(): void }) {
  const t = useMessages("entities");
  const impact = async (): Promise<string> => {
    unwrap(await api.entities.remove({ entityId: id }, { dryRun: true }));
    return t("entityImpact", {
      count: unwrap(await api.entityGrants.search({ search: { entityId: id, numberOfResults: 0 } })).total,
    });
  };
  const remove = async (auditReason: string | undefined): Promise<void> => {
    unwrap(await api.entities.remove({ entityId: id }, { auditReason }));
    notify(t("removed"));
    go("/entities");
  };
  return (
    <DangerDialog title={t("remove")} name={name} impact={impact} confirmLabel={t("remove")} onConfirm={remove} onClose={onClose}>
      <p>{t("removeEntityText", { name })}</p>
    </DangerDialog>
  );
}
