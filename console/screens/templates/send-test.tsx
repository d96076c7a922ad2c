import { useState } from "preact/hooks";
import { api, sayFailure } from "../../app/api.js";
import { Field, TextInput } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Picker } from "../../kit/picker.js";
import { notify } from "../../kit/toast.js";
import type { Content } from "../records/family-row.js";

interface SendTestProps {
  readonly emailTemplateId: string;
  readonly locale: string;
  readonly requestData: Content;
}

/** Sends the stored template to a user or to an address. With an address, the template has no user. */
export function SendTest(props: SendTestProps) {
  const t = useMessages("templates");
  const [userId, setUserId] = useState("");
  const [address, setAddress] = useState("");
  const [said, setSaid] = useState<string>();
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const problem = await sendTo(props, userId, address);
    setSaid(problem);
    if (problem === undefined) notify(t("testSent"));
  };
  return (
    <form class="stack" onSubmit={send}>
      <h3>{t("sendTest")}</h3>
      <p class="hint">{t("sendTestHint")}</p>
      <Field label={t("sendToUser")}>
        <Picker family="user" value={userId} onChange={(id) => setUserId(id)} />
      </Field>
      {userId === "" && (
        <Field label={t("sendToAddress")} hint={t("sendToAddressHint")}>
          <TextInput type="email" value={address} onChange={setAddress} autocomplete="off" />
        </Field>
      )}
      {said !== undefined && (
        <p class="banner bad" role="alert">
          {said}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button" disabled={userId === "" && !address.includes("@")}>
          {t("send")}
        </button>
      </div>
    </form>
  );
}

async function sendTo(
  { emailTemplateId, locale, requestData }: SendTestProps,
  userId: string,
  address: string,
): Promise<string | undefined> {
  const to = userId === "" ? { toAddresses: [{ address }] } : { userIds: [userId] };
  const languages = locale === "" ? {} : { preferredLanguages: [locale] };
  const result = await api.emailTemplates.send({ emailTemplateId, requestData, ...to, ...languages });
  if (!result.ok) return sayFailure(result);
  // The response lists only recipients without a mail, each with the errors that prevented it.
  const { anonymousResults, results } = result.value;
  const errors = [...Object.values(anonymousResults), ...Object.values(results)].flatMap(({ parseErrors, renderErrors }) => [
    ...Object.values(parseErrors),
    ...Object.values(renderErrors),
  ]);
  return errors.length === 0 ? undefined : errors.join(" ");
}
