import { useMessages } from "./i18n.js";

interface OrderedListProps {
  readonly label: string;
  readonly ids: readonly string[];
  nameOf(id: string): string;
  onChange(ids: readonly string[]): void;
}

/** Records in an order that the person changes with buttons or with Alt and the arrow keys. */
export function OrderedList({ ids, label, nameOf, onChange }: OrderedListProps) {
  const t = useMessages("console");
  const move = (place: number, by: number): void => {
    const moved = ids[place];
    const to = place + by;
    if (moved !== undefined && to >= 0 && to < ids.length) onChange(ids.toSpliced(place, 1).toSpliced(to, 0, moved));
  };
  const onKeyDown = (event: KeyboardEvent, place: number): void => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    move(place, event.key === "ArrowUp" ? -1 : 1);
  };
  return (
    <ol class="order-list" aria-label={label}>
      {ids.map((id, place) => {
        const name = nameOf(id);
        const button = (key: string, sign: string, act: () => void) => (
          <button type="button" class="button small" aria-label={t(key, { name })} onClick={act}>
            {sign}
          </button>
        );
        return (
          // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the keys belong to the buttons inside.
          <li key={id} onKeyDown={(event) => onKeyDown(event, place)}>
            <span>{name}</span>
            {button("moveUp", "↑", () => move(place, -1))}
            {button("moveDown", "↓", () => move(place, 1))}
            {button("takeOut", "✕", () => onChange(ids.toSpliced(place, 1)))}
          </li>
        );
      })}
    </ol>
  );
}
