import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { sayError } from "../app/api.js";
import { config } from "../app/config.js";
import { useMessages } from "./i18n.js";
import { Icon } from "./icons.js";

/** Props of a screen with its heading. */
export interface ScreenProps {
  readonly title: string;
  readonly subtitle?: ComponentChildren;
  /** Buttons at the end of the header. */
  readonly actions?: ComponentChildren;
  /** The breadcrumbs: links to the parent screens. */
  readonly crumbs?: readonly { readonly label: string; readonly href: string }[];
  readonly children: ComponentChildren;
}

// On the first screen the heading takes no focus, so that reading starts at the top of the page.
let hasShownOne = false;

/** A screen: its contents, and a heading that receives the focus when the address changes. */
export function Screen({ actions, children, crumbs = [], subtitle, title }: ScreenProps) {
  const t = useMessages("console");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${config.brand.name}`;
  }, [title]);
  useEffect(() => {
    if (hasShownOne) heading.current?.focus({ preventScroll: true });
    hasShownOne = true;
  }, []);
  return (
    <div class="screen">
      {crumbs.length > 0 && (
        <nav class="crumbs" aria-label={t("crumbs")}>
          {crumbs.map(({ href, label }) => (
            <Link key={href} href={href}>
              {label}
            </Link>
          ))}
        </nav>
      )}
      <header class="screen-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {subtitle !== undefined && <div class="subtitle">{subtitle}</div>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a screen with a heading. */
export function Panel({
  actions,
  children,
  title,
}: {
  readonly title?: string | undefined;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="panel">
      {(title !== undefined || actions !== undefined) && (
        <header class="panel-head">
          {title !== undefined && <h2>{title}</h2>}
          {actions !== undefined && <div class="actions">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

/** A message that there is no data, with the next step as its children. */
export function Empty({ children, title }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name="empty" />
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** An error message, with a button to try again. */
export function Failed({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const t = useMessages("console");
  return (
    <div class="banner bad" role="alert">
      <Icon name="warning" />
      <span>{sayError(error)}</span>
      {onRetry && (
        <button type="button" class="button small" onClick={onRetry}>
          {t("retry")}
        </button>
      )}
    </div>
  );
}

/** Placeholder lines while data loads. */
export function Loading({ lines = 6 }: { readonly lines?: number }) {
  const t = useMessages("console");
  return (
    <div class="loading" role="status">
      <span class="unseen">{t("loading")}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="loading-line" />
      ))}
    </div>
  );
}
