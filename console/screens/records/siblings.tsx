import { Link } from "wouter-preact";
import { useMessages } from "../../kit/i18n.js";

interface SiblingsProps {
  /** The area whose messages have the labels. */
  readonly messages: string;
  readonly rows: readonly { readonly label: string; readonly path: string }[];
  /** The path of the current list. */
  readonly path: string;
}

/** Links between the related lists of an area. */
export function Siblings({ messages, path, rows }: SiblingsProps) {
  const t = useMessages(messages);
  return (
    <nav class="tabs" aria-label={rows.map(({ label }) => t(label)).join(", ")}>
      {rows.map((row) => (
        <Link key={row.path} href={row.path} class="tab" aria-current={row.path === path ? "page" : undefined}>
          {t(row.label)}
        </Link>
      ))}
    </nav>
  );
}
