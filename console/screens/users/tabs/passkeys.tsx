import { useState } from "preact/hooks";
import { api, unwrap } from "../../../app/api.js";
import { may } from "../../../app/session.js";
import { DangerDialog } from "../../../kit/danger-dialog.js";
import { useMessages } from "../../../kit/i18n.js";
import { useLoad } from "../../../kit/load.js";
import { Empty, Failed, Loading, Panel } from "../../../kit/screen.js";
import { TableFrame } from "../../../kit/table-frame.js";
import { notify } from "../../../kit/toast.js";
import { Badge, DateText } from "../../../kit/values.js";
import type { UserTabProps } from "../user.js";

type Passkey = Awaited<ReturnType<typeof passkeysOf>>[number];

async function passkeysOf(userId: string) {
  return unwrap(await api.passkeys.list({ userId })).credentials;
}

/** The passkeys of a user, with their devices and creation dates. Removes them. */
export function PasskeysTab({ user }: UserTabProps) {
  const t = useMessages("users");
  const { error, reload, value } = useLoad(() => passkeysOf(user.id), [user.id]);
  const [removed, setRemoved] = useState<Passkey>();
  const remove = async (passkeyId: string, auditReason: string | undefined): Promise<void> => {
    unwrap(await api.passkeys.remove({ passkeyId }, { auditReason }));
    notify(t("passkeyRemoved"));
    reload();
  };
  return (
    <Panel title={t("passkeys")}>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Loading lines={2} />}
      {value?.length === 0 && <Empty title={t("noPasskeys")} />}
      {value !== undefined && value.length > 0 && <Passkeys passkeys={value} onRemove={setRemoved} />}
      {removed !== undefined && (
        <DangerDialog
          title={t("removePasskey", { name: nameOf(removed) })}
          confirmLabel={t("removePasskey", { name: nameOf(removed) })}
          onConfirm={(reason) => remove(removed.id, reason)}
          onClose={() => setRemoved(undefined)}
        >
          <p>{t(value?.length === 1 ? "removeLastPasskeyText" : "removePasskeyText")}</p>
        </DangerDialog>
      )}
    </Panel>
  );
}

function nameOf({ displayName, id, name }: Passkey): string {
  return displayName ?? name ?? id;
}

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  onRemove(passkey: Passkey): void;
}

function Passkeys({ onRemove, passkeys }: PasskeysProps) {
  const t = useMessages("users");
  return (
    <TableFrame label={t("passkeys")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("name")}</th>
            <th scope="col">{t("domain")}</th>
            <th scope="col">{t("created")}</th>
            <th scope="col">{t("lastUse")}</th>
            <th scope="col">{t("device")}</th>
            <th scope="col">
              <span class="unseen">{t("operations")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {passkeys.map((passkey) => (
            <tr key={passkey.id}>
              <th scope="row">
                {nameOf(passkey)} <Backup passkey={passkey} />
              </th>
              <td>{passkey.relyingPartyId}</td>
              <td>
                <DateText value={passkey.insertInstant} />
              </td>
              <td>
                <DateText value={passkey.lastUseInstant} />
              </td>
              <td class="value">{[...passkey.transports, passkey.userAgent].filter(Boolean).join(", ") || "–"}</td>
              <td class="end">
                {may("DELETE", "/api/webauthn") && (
                  <button type="button" class="button small danger" onClick={() => onRemove(passkey)}>
                    {t("removePasskey", { name: nameOf(passkey) })}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** Shows whether the passkey survives the loss of its device. */
function Backup({ passkey: { backupEligible, backupState } }: { readonly passkey: Passkey }) {
  const t = useMessages("users");
  if (backupState) return <Badge kind="good">{t("backedUp")}</Badge>;
  return <Badge kind={backupEligible ? "warn" : "neutral"}>{t(backupEligible ? "notBackedUp" : "oneDevice")}</Badge>;
}
