import { Link } from "wouter-preact";
import { useMessages } from "../../kit/i18n.js";

interface TypeChoiceProps {
  /** The area whose messages have `type.<name>` and `type.<name>.about`. */
  readonly messages: string;
  /** The form of a new record: it gets `?type=`. */
  readonly path: string;
  readonly names: readonly string[];
}

/** The types that a new record can have: each leads to its form. */
export function TypeChoice({ messages, names, path }: TypeChoiceProps) {
  const t = useMessages(messages);
  return (
    <ul class="card-grid order-list">
      {names.map((name) => (
        <li key={name}>
          <Link href={`${path}?type=${name}`}>{t(`type.${name}`)}</Link>
          <span class="hint">{t(`type.${name}.about`)}</span>
        </li>
      ))}
    </ul>
  );
}
