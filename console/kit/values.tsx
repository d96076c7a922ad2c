import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { formatDistance, formatInstant, useMessages } from "./i18n.js";
import { Icon } from "./icons.js";

/** An instant in epoch milliseconds, relative to now. The exact time shows on hover, or always with `exact`. */
export function DateText({ exact = false, value }: { readonly value: number | undefined; readonly exact?: boolean }) {
  if (value === undefined) return <span class="faint">–</span>;
  const full = formatInstant(value);
  return (
    <time dateTime={new Date(value).toISOString()} title={full}>
      {exact ? full : formatDistance(value)}
    </time>
  );
}

/** A short status with a color. */
export function Badge({
  children,
  kind = "neutral",
}: {
  readonly kind?: "good" | "bad" | "warn" | "neutral" | "accent" | undefined;
  readonly children: ComponentChildren;
}) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** A list of labels with their values. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? <span class="faint">–</span>}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A button that copies a text to the clipboard. */
export function CopyButton({ text }: { readonly text: string }) {
  const t = useMessages("console");
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" class="button quiet icon-only small" onClick={copy} aria-label={t(isCopied ? "copied" : "copy")}>
      <Icon name={isCopied ? "check" : "copy"} />
    </button>
  );
}

/** A full id with a copy button. */
export function Id({ value }: { readonly value: string }) {
  return (
    <span class="id">
      <code>{value}</code>
      <CopyButton text={value} />
    </span>
  );
}

/** A one-time secret, masked until the person shows it. */
export function Secret({ value }: { readonly value: string }) {
  const t = useMessages("console");
  const [isShown, setShown] = useState(false);
  return (
    <span class="secret">
      <code>{isShown ? value : "••••••••••••"}</code>
      <button type="button" class="button small" onClick={() => setShown(!isShown)} aria-pressed={isShown}>
        {t(isShown ? "hide" : "show")}
      </button>
      <CopyButton text={value} />
    </span>
  );
}
