import { useEffect, useState } from "preact/hooks";
import { api, sayFailure } from "../../app/api.js";
import { CodeField } from "../../kit/code-field/code-field.js";
import { readDraft, writeDraft } from "../../kit/drafts.js";
import { Field, Select } from "../../kit/field.js";
import { useMessages } from "../../kit/i18n.js";
import { InertFrame } from "../../kit/inert-frame.js";
import { Panel } from "../../kit/screen.js";
import { Facts } from "../../kit/values.js";
import type { Content } from "../records/family-row.js";
import { localesOf, ProblemList, type Problems } from "./problem-list.js";
import { SendTest } from "./send-test.js";

interface Preview {
  readonly email: {
    readonly from: { readonly address?: string; readonly display?: string };
    readonly html: string;
    readonly subject: string;
    readonly text: string;
  };
  readonly errors: Problems;
}

/** Previews the mail of the template in the form, in one locale. The frame for its HTML runs no scripts. */
export function EmailPreview({
  emailTemplateId,
  values,
}: {
  readonly emailTemplateId: string | undefined;
  readonly values: Content;
}) {
  const t = useMessages("templates");
  const [locale, setLocale] = useState("");
  const [data, setData] = useState(() => readDraft<string>("email-preview") ?? "{}");
  const { failure, preview } = usePreview(values, locale, data);
  const changeData = (text: string): void => {
    setData(text);
    writeDraft("email-preview", text);
  };
  const options = [{ value: "", label: t("defaultLocale") }, ...localesOf(values).map((value) => ({ value, label: value }))];
  return (
    <Panel title={t("preview")}>
      <Field label={t("locale")}>
        <Select value={locale} options={options} onChange={setLocale} />
      </Field>
      <CodeField label={t("requestData")} language="json" value={data} onChange={changeData} />
      <div aria-live="polite">{failure !== undefined && <p class="banner bad">{failure}</p>}</div>
      {preview !== undefined && <ShownMail preview={preview} />}
      {emailTemplateId !== undefined && (
        <SendTest emailTemplateId={emailTemplateId} locale={locale} requestData={parse(data) ?? {}} />
      )}
    </Panel>
  );
}

function usePreview(values: Content, locale: string, data: string): { readonly preview?: Preview; readonly failure?: string } {
  const [state, setState] = useState<{ readonly preview?: Preview; readonly failure?: string }>({});
  const content = JSON.stringify(values);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const requestData = parse(data);
      if (requestData === undefined) return;
      const input = { emailTemplate: JSON.parse(content), sampleData: { requestData }, ...(locale !== "" && { locale }) };
      const result = await api.emailTemplates.preview(input, { signal: controller.signal });
      if (controller.signal.aborted) return;
      setState(result.ok ? { preview: result.value as Preview } : { failure: sayFailure(result) });
    }, 400);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [content, locale, data]);
  return state;
}

function parse(text: string): Content | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === "" ? "{}" : text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function ShownMail({ preview: { email, errors } }: { readonly preview: Preview }) {
  const t = useMessages("templates");
  const { from, html, subject, text } = email;
  return (
    <>
      <ProblemList errors={errors} />
      <Facts
        rows={[
          [t("from"), `${from.display ?? ""} ${from.address ?? ""}`.trim() || "–"],
          [t("subject"), subject],
        ]}
      />
      <InertFrame title={t("htmlPreview")} html={html} />
      <h3>{t("textPreview")}</h3>
      <pre class="code">{text}</pre>
    </>
  );
}
