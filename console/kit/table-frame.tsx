import type { ComponentChildren } from "preact";

/** The frame of a wide table. It is also scrollable with the keyboard. */
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
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach a scrollable area.
      tabIndex={0}
      aria-label={label}
      aria-busy={isBusy}
    >
      {children}
    </section>
  );
}
