import { Link } from "wouter-preact";
import { useMessages } from "../../kit/i18n.js";

interface TypeChoiceProps {
  /** The area whose messages have `type.<name>` and `type.<name>.about`. */
  readonly messages: string;
  /** The path of the form for a new record; each link adds `?type=`. */
  readonly path: string;
  readonly names: readonly string[];
}

/** Links each available type of a new record to its form. */
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
