import "../records/records.css";
import { useState } from "preact/hooks";
import { api, type Failure, sayFailure, unwrap } from "../../app/api.js";
import { DangerDialog } from "../../kit/danger-dialog.js";
import { Field, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { useLoad } from "../../kit/load.js";
import { Picker } from "../../kit/picker.js";
import { Empty, Failed, Loading, Panel, Screen } from "../../kit/screen.js";
import { notify } from "../../kit/toast.js";
import { useUrlState } from "../../kit/url-state.js";
import { DateText } from "../../kit/values.js";

/** The accounts of a user at identity providers. The providers themselves come with a later version of the API. */
export function Providers() {
  const t = useMessages("settings");
  const [userId, setUserId] = useUrlState("user");
  return (
    <Screen title={t("providers")} subtitle={t("providersAbout")}>
      <Panel>
        <Field label={t("user")}>
          <Picker family="user" value={userId} onChange={setUserId} />
        </Field>
      </Panel>
      {userId !== "" && <LinksOf key={userId} userId={userId} />}
      <Panel title={t("comesLater")}>
        <p>{t("comesLaterText")}</p>
      </Panel>
    </Screen>
  );
}

interface Link {
  readonly id: string;
  readonly identityProviderId: string;
  readonly identityProviderUserId: string;
  readonly displayName?: string | undefined;
  readonly userId: string;
  readonly insertInstant: number;
}

async function linksOf(userId: string): Promise<readonly Link[]> {
  const found = unwrap(await api.identityProviderLinks.find({ userId }));
  return "identityProviderLinks" in found ? found.identityProviderLinks : [found.identityProviderLink];
}

function LinksOf({ userId }: { readonly userId: string }) {
  const t = useMessages("settings");
  const { error, reload, value } = useLoad(() => linksOf(userId), [userId]);
  const [removed, setRemoved] = useState<Link>();
  const remove = async (auditReason: string | undefined): Promise<void> => {
    if (removed === undefined) return;
    const { identityProviderId, identityProviderUserId } = removed;
    unwrap(await api.identityProviderLinks.remove({ identityProviderId, identityProviderUserId, userId }, { auditReason }));
    notify(t("unlinked"));
    reload();
  };
  return (
    <>
      <Panel title={t("links")}>
        {error !== undefined && <Failed error={error} onRetry={reload} />}
        {value === undefined && error === undefined && <Loading lines={2} />}
        {value?.length === 0 && <Empty title={t("noLinks")} />}
        {value?.map((link) => (
          <div key={link.id} class="inline-form">
            <span>
              <strong>{link.displayName ?? link.identityProviderUserId}</strong> <code>{link.identityProviderId}</code>{" "}
              <DateText value={link.insertInstant} />
            </span>
            <button type="button" class="button small danger" onClick={() => setRemoved(link)}>
              {t("unlink", { name: link.displayName ?? link.identityProviderUserId })}
            </button>
          </div>
        ))}
      </Panel>
      <AddLink userId={userId} onAdded={reload} />
      {removed !== undefined && (
        <DangerDialog
          title={t("unlinkTitle")}
          confirmLabel={t("unlinkTitle")}
          onConfirm={remove}
          onClose={() => setRemoved(undefined)}
        >
          <p>{t("unlinkText")}</p>
        </DangerDialog>
      )}
    </>
  );
}

function AddLink({ onAdded, userId }: { readonly userId: string; onAdded(): void }) {
  const t = useMessages("settings");
  const [identityProviderId, setProvider] = useState("");
  const [identityProviderUserId, setAccount] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const result = await api.identityProviderLinks.create({
      identityProviderLink: { identityProviderId, identityProviderUserId, userId },
    });
    setFailure(result.ok ? undefined : result);
    if (result.ok) onAdded();
  };
  return (
    <Panel title={t("addLink")}>
      <form class="inline-form" onSubmit={add}>
        <Field label={t("providerId")}>
          <TextInput value={identityProviderId} onChange={setProvider} spellcheck={false} autocomplete="off" />
        </Field>
        <Field label={t("providerUserId")}>
          <TextInput value={identityProviderUserId} onChange={setAccount} spellcheck={false} autocomplete="off" />
        </Field>
        <button type="submit" class="button">
          {t("addLink")}
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
