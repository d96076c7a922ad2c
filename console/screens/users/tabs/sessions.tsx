import { useState } from "preact/hooks";
import { api, type ItemOf, unwrap } from "../../../app/api.js";
import { may } from "../../../app/session.js";
import { DangerDialog } from "../../../kit/danger-dialog.js";
import { useMessages } from "../../../kit/i18n.js";
import { useLoad } from "../../../kit/load.js";
import { RecordName } from "../../../kit/picker.js";
import { Empty, Failed, Loading, Panel } from "../../../kit/screen.js";
import { TableFrame } from "../../../kit/table-frame.js";
import { notify } from "../../../kit/toast.js";
import { DateText } from "../../../kit/values.js";
import type { UserTabProps } from "../user.js";

type Token = ItemOf<Awaited<ReturnType<typeof readTokens>>>;

async function readTokens(userId: string) {
  return { refreshTokens: unwrap(await api.jwt.list({ userId })).refreshTokens ?? [] };
}

/** The sessions of a user, by refresh token. Ends one or all of them. */
export function SessionsTab({ user }: UserTabProps) {
  const t = useMessages("users");
  const [ended, setEnded] = useState<Token | "all">();
  const { error, reload, value } = useLoad(() => readTokens(user.id), [user.id]);
  const tokens = value?.refreshTokens;
  const canEnd = may("DELETE", "/api/jwt/refresh");
  const end = async (auditReason: string | undefined): Promise<void> => {
    const input = ended === "all" || ended === undefined ? { userId: user.id } : { tokenId: ended.id };
    unwrap(await api.jwt.revoke(input, { auditReason }));
    notify(t("sessionsEnded"));
    reload();
  };
  const actions = canEnd && tokens !== undefined && tokens.length > 0 && (
    <button type="button" class="button danger" onClick={() => setEnded("all")}>
      {t("endAllSessions")}
    </button>
  );
  return (
    <Panel title={t("sessions")} actions={actions}>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {tokens === undefined && error === undefined && <Loading lines={3} />}
      {tokens?.length === 0 && <Empty title={t("noSessions")} />}
      {tokens !== undefined && tokens.length > 0 && <Tokens tokens={tokens} onEnd={canEnd ? setEnded : undefined} />}
      {ended !== undefined && (
        <DangerDialog
          title={t(ended === "all" ? "endAllSessions" : "endSession")}
          confirmLabel={t(ended === "all" ? "endAllSessions" : "endSession")}
          onConfirm={end}
          onClose={() => setEnded(undefined)}
        >
          <p>{t("endSessionText")}</p>
        </DangerDialog>
      )}
    </Panel>
  );
}

function Tokens({ onEnd, tokens }: { readonly tokens: readonly Token[]; readonly onEnd: ((token: Token) => void) | undefined }) {
  const t = useMessages("users");
  return (
    <TableFrame label={t("sessions")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("application")}</th>
            <th scope="col">{t("device")}</th>
            <th scope="col">{t("signedIn")}</th>
            <th scope="col">{t("renewed")}</th>
            <th scope="col">
              <span class="unseen">{t("operations")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <th scope="row">
                {token.applicationId === undefined ? "–" : <RecordName family="application" id={token.applicationId} />}
              </th>
              <td class="value">{sayDevice(token)}</td>
              <td>
                <DateText value={token.startInstant} />
              </td>
              <td>
                <DateText value={token.insertInstant} />
              </td>
              <td class="end">
                {onEnd && (
                  <button type="button" class="button small" onClick={() => onEnd(token)}>
                    {t("endSession")}
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

function sayDevice({ metaData }: Token): string {
  const text = JSON.stringify(metaData ?? {});
  return text === "{}" ? "–" : text;
}
