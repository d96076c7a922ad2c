import { useMessages } from "../../kit/i18n.js";

interface OrderedFieldsProps {
  readonly fields: readonly string[];
  readonly names: ReadonlyMap<string, string>;
  onChange(fields: readonly string[]): void;
}

/** Fields in an order that buttons and the arrow keys change. */
export function OrderedFields({ fields, names, onChange }: OrderedFieldsProps) {
  const t = useMessages("forms");
  const move = (place: number, by: number): void => {
    const moved = fields[place];
    const to = place + by;
    if (moved !== undefined && to >= 0 && to < fields.length) onChange(fields.toSpliced(place, 1).toSpliced(to, 0, moved));
  };
  const onKeyDown = (event: KeyboardEvent, place: number): void => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    move(place, event.key === "ArrowUp" ? -1 : 1);
  };
  return (
    <ol class="order-list" aria-label={t("fields")}>
      {fields.map((id, place) => {
        const name = names.get(id) ?? id;
        const button = (label: string, sign: string, act: () => void) => (
          <button type="button" class="button small" aria-label={t(label, { name })} onClick={act}>
            {sign}
          </button>
        );
        return (
          // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the keys are those of the buttons in it.
          <li key={id} onKeyDown={(event) => onKeyDown(event, place)}>
            <span>{name}</span>
            {button("moveUp", "↑", () => move(place, -1))}
            {button("moveDown", "↓", () => move(place, 1))}
            {button("takeOut", "✕", () => onChange(fields.toSpliced(place, 1)))}
          </li>
        );
      })}
    </ol>
  );
}
