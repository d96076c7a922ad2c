import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { api, type Failure, sayFailure, unwrap } from "../../../app/api.js";
import { may } from "../../../app/session.js";
import { DangerDialog } from "../../../kit/danger-dialog.js";
import { Field, TextInput } from "../../../kit/field.js";
import { useMessages } from "../../../kit/i18n.js";
import { useLoad } from "../../../kit/load.js";
import { Picker } from "../../../kit/picker.js";
import { Empty, Failed, Loading, Panel } from "../../../kit/screen.js";
import { TableFrame } from "../../../kit/table-frame.js";
import { notify } from "../../../kit/toast.js";
import { DateText } from "../../../kit/values.js";
import type { UserTabProps } from "../user.js";

type LinkedAccount = Awaited<ReturnType<typeof linksOf>>[number];

async function linksOf(userId: string) {
  const found = unwrap(await api.identityProviderLinks.find({ userId }));
  return "identityProviderLinks" in found ? found.identityProviderLinks : [found.identityProviderLink];
}

/** The accounts of a user at identity providers. Links them, and unlinks them with an undo. */
export function AccountsTab({ user }: UserTabProps) {
  const t = useMessages("users");
  const { error, reload, value } = useLoad(() => linksOf(user.id), [user.id]);
  const [unlinked, setUnlinked] = useState<LinkedAccount>();
  const unlink = async (account: LinkedAccount, auditReason: string | undefined): Promise<void> => {
    const { data, displayName, identityProviderId, identityProviderUserId, token, userId } = account;
    unwrap(await api.identityProviderLinks.remove({ identityProviderId, identityProviderUserId, userId }, { auditReason }));
    const undo = async (): Promise<void> => {
      const again = { data, displayName, identityProviderId, identityProviderUserId, token, userId };
      unwrap(await api.identityProviderLinks.create({ identityProviderLink: again }));
      reload();
    };
    notify(t("unlinked"), { undo });
    reload();
  };
  return (
    <>
      <Panel title={t("accounts")}>
        {error !== undefined && <Failed error={error} onRetry={reload} />}
        {value === undefined && error === undefined && <Loading lines={2} />}
        {value?.length === 0 && <Empty title={t("noAccounts")} />}
        {value !== undefined && value.length > 0 && <Accounts accounts={value} onUnlink={setUnlinked} />}
      </Panel>
      {may("POST", "/api/identity-provider/link") && <AddAccount userId={user.id} onAdded={reload} />}
      {unlinked !== undefined && (
        <DangerDialog
          title={t("unlinkTitle")}
          confirmLabel={t("unlinkTitle")}
          onConfirm={(reason) => unlink(unlinked, reason)}
          onClose={() => setUnlinked(undefined)}
        >
          <p>{t("unlinkText")}</p>
        </DangerDialog>
      )}
    </>
  );
}

interface AccountsProps {
  readonly accounts: readonly LinkedAccount[];
  onUnlink(account: LinkedAccount): void;
}

function Accounts({ accounts, onUnlink }: AccountsProps) {
  const t = useMessages("users");
  return (
    <TableFrame label={t("accounts")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("provider")}</th>
            <th scope="col">{t("accountThere")}</th>
            <th scope="col">{t("linkedSince")}</th>
            <th scope="col">{t("lastLogin")}</th>
            <th scope="col">
              <span class="unseen">{t("operations")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.id}>
              <th scope="row">
                <Link href={`/providers/${account.identityProviderId}`}>
                  {account.identityProviderName ?? account.identityProviderId}
                </Link>{" "}
                <span class="faint">{account.identityProviderType}</span>
              </th>
              <td>
                {account.displayName} <code>{account.identityProviderUserId}</code>
              </td>
              <td>
                <DateText value={account.insertInstant} />
              </td>
              <td>
                <DateText value={account.lastLoginInstant} />
              </td>
              <td class="end">
                {may("DELETE", "/api/identity-provider/link") && (
                  <button type="button" class="button small danger" onClick={() => onUnlink(account)}>
                    {t("unlink", { name: account.displayName ?? account.identityProviderUserId })}
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

function AddAccount({ onAdded, userId }: { readonly userId: string; onAdded(): void }) {
  const t = useMessages("users");
  const [identityProviderId, setProvider] = useState("");
  const [identityProviderUserId, setAccount] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const identityProviderLink = { identityProviderId, identityProviderUserId, userId };
    const result = await api.identityProviderLinks.create({ identityProviderLink });
    setFailure(result.ok ? undefined : result);
    if (!result.ok) return;
    setAccount("");
    onAdded();
  };
  return (
    <Panel title={t("linkAccount")}>
      <form class="inline-form" onSubmit={add}>
        <Field label={t("provider")}>
          <Picker family="identityProvider" value={identityProviderId} onChange={setProvider} />
        </Field>
        <Field label={t("accountId")}>
          <TextInput value={identityProviderUserId} onChange={setAccount} spellcheck={false} autocomplete="off" />
        </Field>
        <button type="submit" class="button" disabled={identityProviderId === "" || identityProviderUserId === ""}>
          {t("linkAccount")}
        </button>
      </form>
      {failure !== undefined && (
        <p class="banner bad" role="alert">
          {sayFailure(failure)}
        </p>
      )}
    </Panel>
  );
}
