import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, type ItemOf, unwrap } from "../../app/api.js";
import { may } from "../../app/session.js";
import { DataList, type ListPage } from "../../kit/data-list/index.js";
import { type Translate, useMessages } from "../../kit/i18n.js";
import { RecordName } from "../../kit/picker.js";
import { Panel } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { Badge, DateText } from "../../kit/values.js";
import { GrantDialog } from "./grant-dialog.js";

/** A grant, as a search returns it. */
export type Grant = ItemOf<Pick<Awaited<ReturnType<typeof loadGrants>>, "rows">>;

/** Lists the users and entities that have permissions on an entity. */
export function Grants({ entityId, entityTypeId }: { readonly entityId: string; readonly entityTypeId: string }) {
  const t = useMessages("entities");
  const [version, setVersion] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const changed = (): void => setVersion((before) => before + 1);
  const remove = async ({ data, permissions, recipientEntityId, userId }: Grant): Promise<void> => {
    const recipient = userId === undefined ? { recipientEntityId } : { userId };
    unwrap(await api.entityGrants.remove({ entityId, ...recipient }));
    const undo = async (): Promise<void> => {
      unwrap(await api.entityGrants.upsert({ entityId, grant: { ...recipient, data, permissions: [...permissions] } }));
      changed();
    };
    notify(t("grantRemoved"), { undo });
    changed();
  };
  const add = may("POST", "/api/entity/grant") && (
    <button type="button" class="button" onClick={() => setOpen(true)}>
      {t("newGrant")}
    </button>
  );
  return (
    <Panel title={t("grants")} actions={add}>
      <DataList
        name="grants"
        label={t("grants")}
        columns={toColumns(t, may("DELETE", "/api/entity/grant") ? remove : undefined)}
        load={(page) => loadGrants({ entityId }, page)}
        rowKey={({ id }) => id}
        version={version}
      />
      {isOpen && <GrantDialog entityId={entityId} entityTypeId={entityTypeId} onClose={() => setOpen(false)} onDone={changed} />}
    </Panel>
  );
}

/** Loads one page of the grants on an entity, or of the grants to a user. */
export async function loadGrants(
  criteria: { readonly entityId: string } | { readonly userId: string },
  { nextResults, numberOfResults, orderBy, signal }: ListPage,
) {
  const search = { ...criteria, numberOfResults, orderBy, nextResults };
  const { grants = [], nextResults: next, total } = unwrap(await api.entityGrants.search({ search }, { signal }));
  return { rows: grants, total, nextResults: next };
}

function toColumns(t: Translate, onRemove: ((grant: Grant) => Promise<void>) | undefined) {
  return [
    { id: "recipient", label: t("recipient"), cell: (grant: Grant) => <Recipient grant={grant} /> },
    {
      id: "permissions",
      label: t("permissions"),
      cell: ({ permissions }: Grant) => <PermissionBadges permissions={permissions} />,
    },
    {
      id: "created",
      label: t("created"),
      sort: "insertInstant",
      cell: ({ insertInstant }: Grant) => <DateText value={insertInstant} />,
    },
    {
      id: "operations",
      label: t("operations"),
      align: "end" as const,
      cell: (grant: Grant) =>
        onRemove && (
          <button type="button" class="button small" onClick={() => onRemove(grant)}>
            {t("removeGrant")}
          </button>
        ),
    },
  ];
}

/** Shows each permission as a badge. */
export function PermissionBadges({ permissions }: { readonly permissions: readonly string[] }) {
  return (
    <span class="row">
      {permissions.map((permission) => (
        <Badge key={permission} kind="accent">
          {permission}
        </Badge>
      ))}
    </span>
  );
}

function Recipient({ grant: { recipientEntityId = "", userId } }: { readonly grant: Grant }) {
  const family = userId === undefined ? "entity" : "user";
  const id = userId ?? recipientEntityId;
  return (
    <Link href={family === "user" ? `/users/${id}` : `/entities/${id}`}>
      <RecordName family={family} id={id} />
    </Link>
  );
}
