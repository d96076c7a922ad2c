import { useState } from "preact/hooks";
import { api, unwrap } from "../../../app/api.js";
import { may } from "../../../app/session.js";
import { DangerDialog } from "../../../kit/danger-dialog.js";
import { useMessages } from "../../../kit/i18n.js";
import { useLoad } from "../../../kit/load.js";
import { Empty, Failed, Panel } from "../../../kit/screen.js";
import { TableFrame } from "../../../kit/table-frame.js";
import { notify } from "../../../kit/toast.js";
import { Badge } from "../../../kit/values.js";
import type { User, UserTabProps } from "../user.js";

type Method = NonNullable<User["twoFactor"]>["methods"][number];

/** The second factors of a user, and the number of unused recovery codes. */
export function FactorsTab({ reload, user }: UserTabProps) {
  const t = useMessages("users");
  const [removed, setRemoved] = useState<Method>();
  const methods = user.twoFactor?.methods ?? [];
  const codes = useLoad(async () => {
    if (methods.length === 0) return 0;
    return unwrap(await api.twoFactor.recoveryCodes({ userId: user.id })).recoveryCodes?.length ?? 0;
  }, [user]);
  return (
    <Panel title={t("factors")}>
      {methods.length === 0 && <Empty title={t("noFactors")} />}
      {codes.error !== undefined && <Failed error={codes.error} />}
      {methods.length > 0 && (
        <>
          <Methods methods={methods} onRemove={setRemoved} />
          {codes.value !== undefined && <p class="faint">{t("recoveryCodes", { count: codes.value })}</p>}
        </>
      )}
      {removed !== undefined && (
        <DangerDialog
          title={t("removeFactor")}
          confirmLabel={t("removeFactor")}
          onConfirm={async (reason) => {
            await removeMethod(user.id, removed.id, reason);
            notify(t("factorRemoved"));
            reload();
          }}
          onClose={() => setRemoved(undefined)}
        >
          <p>{t(methods.length === 1 ? "removeLastFactorText" : "removeFactorText")}</p>
        </DangerDialog>
      )}
    </Panel>
  );
}

// The API requires a code to remove a method, so an administrator generates new recovery codes and uses one.
async function removeMethod(userId: string, methodId: string, auditReason: string | undefined): Promise<void> {
  const { recoveryCodes } = unwrap(await api.twoFactor.makeRecoveryCodes({ userId }, { auditReason }));
  unwrap(await api.twoFactor.disable({ userId, methodId, code: recoveryCodes[0] ?? "" }, { auditReason }));
}

function Methods({ methods, onRemove }: { readonly methods: readonly Method[]; onRemove(method: Method): void }) {
  const t = useMessages("users");
  return (
    <TableFrame label={t("factors")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("kind")}</th>
            <th scope="col">{t("name")}</th>
            <th scope="col">{t("target")}</th>
            <th scope="col">
              <span class="unseen">{t("operations")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {methods.map((method) => (
            <tr key={method.id}>
              <th scope="row">
                {t(`factor.${method.method}`)} {method.lastUsed && <Badge kind="accent">{t("lastUsed")}</Badge>}
              </th>
              <td>{method.name ?? "–"}</td>
              <td>{method.email ?? method.mobilePhone ?? "–"}</td>
              <td class="end">
                {may("DELETE", "/api/user/two-factor") && may("POST", "/api/user/two-factor/recovery-code") && (
                  <button type="button" class="button small danger" onClick={() => onRemove(method)}>
                    {t("removeFactor")}
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
