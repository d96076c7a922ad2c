import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useMessages } from "../../kit/i18n.js";
import { Panel } from "../../kit/screen.js";
import { Secret } from "../../kit/values.js";

/** Shows a secret for copying. No later response contains it. */
export function ShownOnce({ children, value }: { readonly value: string; readonly children?: ComponentChildren }) {
  const t = useMessages("keys");
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} role="status">
      <Panel title={t("shownOnce")}>
        <p class="banner warn">{t("shownOnceHint")}</p>
        <Secret value={value} />
        <pre class="code">{`curl -H "Authorization: $API_KEY" …/api/system/version`}</pre>
        <div class="actions">{children}</div>
      </Panel>
    </div>
  );
}
