import { useEffect, useState } from "preact/hooks";
import { api, sayFailure } from "../../app/api.js";
import { Field, Select } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";
import type { Content } from "../records/family-row.js";
import { localesOf, ProblemList, type Problems } from "./problem-list.js";

interface Preview {
  readonly previewMessage: string;
  readonly errors: Problems;
}

/** Previews the text message of the template in the form, in one locale. */
export function MessagePreview({ values }: { readonly values: Content }) {
  const t = useMessages("templates");
  const [locale, setLocale] = useState("");
  const [state, setState] = useState<{ readonly preview?: Preview; readonly failure?: string }>({});
  const content = JSON.stringify(values);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const input = { messageTemplate: JSON.parse(content), ...(locale !== "" && { locale }) };
      const result = await api.messageTemplates.preview(input, { signal: controller.signal });
      if (!controller.signal.aborted)
        setState(result.ok ? { preview: result.value as Preview } : { failure: sayFailure(result) });
    }, 400);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [content, locale]);
  const options = [{ value: "", label: t("defaultLocale") }, ...localesOf(values).map((value) => ({ value, label: value }))];
  return (
    <Panel title={t("preview")}>
      <Field label={t("locale")}>
        <Select value={locale} options={options} onChange={setLocale} />
      </Field>
      {state.failure !== undefined && <p class="banner bad">{state.failure}</p>}
      {state.preview !== undefined && (
        <>
          <ProblemList errors={state.preview.errors} />
          <p class="text-message">{state.preview.previewMessage}</p>
        </>
      )}
      <p class="hint">{t("messageTestHint")}</p>
    </Panel>
  );
}
