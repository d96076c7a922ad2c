import type { ComponentChildren } from "preact";

/** What a wide table stands in: it scrolls by keys, too. */
export function TableFrame({
  children,
  isBusy = false,
  label,
}: {
  readonly label: string;
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <section
      class={`table-frame${isBusy ? " busy" : ""}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse must reach what scrolls.
      tabIndex={0}
      aria-label={label}
      aria-busy={isBusy}
    >
      {children}
    </section>
  );
}
