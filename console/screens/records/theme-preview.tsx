import { useEffect, useState } from "preact/hooks";
import { apiUrl, send } from "../../app/api.js";
import { config } from "../../app/config.js";
import { Field, Select } from "../../kit/field.js";
import { nameOfLocale, locale as ownLocale, useMessages } from "../../kit/i18n.js";
import { InertFrame } from "../../kit/inert-frame.js";
import { Panel } from "../../kit/screen.js";
import type { Content } from "./family-row.js";

/** The pages that the service can preview. */
const pages = ["login", "two-factor", "two-factor-mistake", "forgot", "error"];

interface Shown {
  readonly page: string;
  readonly locale: string;
  readonly colorScheme: "dark" | "light";
}

interface Preview {
  readonly html: string;
  readonly styles: string;
}

interface PreviewState {
  /** The last successful preview, with its color scheme. */
  readonly preview?: Preview & Pick<Shown, "colorScheme">;
  readonly failure?: string | undefined;
}

/** Previews a sign-in page with the theme in the form, before it is stored. */
export function ThemePreview({ values }: { readonly values: Content }) {
  const t = useMessages("records");
  const [shown, setShown] = useState<Shown>({ page: "login", locale: ownLocale.value, colorScheme: "light" });
  const { failure, preview } = usePreview(values, shown);
  const locales = [...new Set([...config.locales, ...localesOf(values)])];
  const select = (label: string, member: keyof Shown, options: readonly (readonly [value: string, label: string])[]) => (
    <Field label={label}>
      <Select
        value={shown[member]}
        options={options.map(([value, text]) => ({ value, label: text }))}
        onChange={(value) => setShown({ ...shown, [member]: value })}
      />
    </Field>
  );
  return (
    <Panel title={t("themePreview")}>
      <p class="hint">{t("themePreviewHint")}</p>
      <div class="inline-form">
        {select(
          t("themePage"),
          "page",
          pages.map((page) => [page, t(`themePage.${page}`)]),
        )}
        {select(
          t("themeLocale"),
          "locale",
          locales.map((tag) => [tag, nameOfLocale(tag)]),
        )}
        {select(t("themeLook"), "colorScheme", [
          ["light", t("themeLook.light")],
          ["dark", t("themeLook.dark")],
        ])}
      </div>
      <div aria-live="polite">{failure !== undefined && <p class="banner bad">{failure}</p>}</div>
      {preview !== undefined && (
        <InertFrame
          title={t("themePreviewOf", { page: t(`themePage.${shown.page}`) })}
          html={preview.html}
          styles={preview.styles}
          kind={`page ${preview.colorScheme}`}
        />
      )}
    </Panel>
  );
}

// Debounces the preview by 400 ms. If the service refuses the theme, the last preview stays.
function usePreview(theme: Content, { locale, colorScheme, page }: Shown): PreviewState {
  const [state, setState] = useState<PreviewState>({});
  const content = JSON.stringify({ theme, locale, colorScheme, page });
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const made = await makePreview(content, controller.signal);
      if (controller.signal.aborted) return;
      setState((before) => (made.failure === undefined ? { preview: { ...made.preview, colorScheme } } : { ...before, ...made }));
    }, 400);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [content]);
  return state;
}

type Made = { readonly preview: Preview; readonly failure?: undefined } | { readonly failure: string };

async function makePreview(body: string, signal: AbortSignal): Promise<Made> {
  try {
    const headers = { "content-type": "application/json" };
    const response = await send(apiUrl("/theme-preview"), { method: "POST", headers, body, signal });
    const answer = JSON.parse(await response.text()) as { readonly preview?: Preview } & Refusal;
    return answer.preview === undefined ? { failure: sayRefusal(answer) } : { preview: answer.preview };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

interface Refusal {
  readonly generalErrors?: readonly { readonly message: string }[];
  readonly fieldErrors?: Readonly<Record<string, readonly { readonly message: string }[]>>;
}

function sayRefusal({ fieldErrors = {}, generalErrors = [] }: Refusal): string {
  return [...generalErrors, ...Object.values(fieldErrors).flat()].map(({ message }) => message).join(" ");
}

function localesOf({ messages }: Content): readonly string[] {
  const { localized } = typeof messages === "object" && messages !== null ? (messages as { readonly localized?: unknown }) : {};
  return typeof localized === "object" && localized !== null ? Object.keys(localized) : [];
}
