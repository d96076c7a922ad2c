import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useMessages } from "./i18n.js";
import { Icon } from "./icons.js";
import { useLoad } from "./load.js";
import { type Choice, type Pickable, type PickableFamily, type PickCriteria, pickables } from "./pickable.js";

/** Props of a picker. */
export interface PickerProps {
  readonly family: PickableFamily;
  /** The id of the chosen record; empty for none. */
  readonly value: string;
  onChange(id: string, choice?: Choice): void;
  readonly id?: string;
  readonly placeholder?: string;
  /** Search criteria in addition to the name, such as `{ type: "JWTPopulate" }`. */
  readonly criteria?: PickCriteria;
  readonly [attribute: `aria-${string}`]: unknown;
}

/** Chooses a record of a family by typing. The server searches, so a million records work as well as ten. */
export function Picker({ criteria, family, onChange, value, ...rest }: PickerProps) {
  const t = useMessages("console");
  const list = useId();
  const [text, setText] = useState<string>();
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const chosen = useLoad(async () => (value === "" ? undefined : await pickables[family].name(value)), [family, value]);
  const found = useSearch(family, text, criteria);
  const choose = (choice: Choice | undefined): void => {
    setText(undefined);
    setActive(0);
    onChange(choice?.id ?? "", choice);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (text === undefined && event.key === "ArrowDown") setText("");
    else if (event.key === "ArrowDown") setActive(Math.min(active + 1, found.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (event.key === "Enter" && text !== undefined) choose(found[active]);
    else if (event.key === "Escape" && text !== undefined) setText(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isOpen = text !== undefined;
  return (
    <div class="picker">
      <input
        {...rest}
        ref={input}
        class="input"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && found[active] ? `${list}-${active}` : undefined}
        placeholder={rest.placeholder ?? t("pick")}
        value={text ?? chosen.value?.label ?? value}
        onInput={(event) => setText(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => setText(undefined)}
        onKeyDown={onKeyDown}
      />
      {value !== "" && (
        <button
          type="button"
          class="button quiet icon-only small picker-clear"
          onClick={() => choose(undefined)}
          aria-label={t("clear")}
        >
          <Icon name="close" />
        </button>
      )}
      <Options id={list} isOpen={isOpen} found={found} active={active} onChoose={choose} />
    </div>
  );
}

function Options({
  active,
  found,
  id,
  isOpen,
  onChoose,
}: {
  readonly id: string;
  readonly isOpen: boolean;
  readonly found: readonly Choice[];
  readonly active: number;
  onChoose(choice: Choice): void;
}) {
  const t = useMessages("console");
  return (
    <div id={id} role="listbox" class="picker-list" hidden={!isOpen} aria-label={t("pick")}>
      {found.map((choice, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys.
        <div
          key={choice.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(choice)}
        >
          <span>{choice.label}</span>
          {choice.detail !== undefined && <span class="faint">{choice.detail}</span>}
        </div>
      ))}
      {found.length === 0 && (
        <div role="option" aria-selected="false" aria-disabled="true" tabIndex={-1} class="faint">
          {t("nothingFound")}
        </div>
      )}
    </div>
  );
}

function useSearch(family: PickableFamily, text: string | undefined, criteria?: PickCriteria): readonly Choice[] {
  const [found, setFound] = useState<readonly Choice[]>([]);
  useEffect(() => {
    if (text === undefined) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const pickable: Pickable = pickables[family];
      pickable.find(text.trim(), controller.signal, criteria).then(setFound, () => undefined);
    }, 200);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [family, text]);
  return found;
}

/** The name of a record of another family; its id until the name has loaded. */
export function RecordName({ family, id }: { readonly family: PickableFamily; readonly id: string }) {
  const { value } = useLoad(() => pickables[family].name(id), [family, id]);
  return <>{value?.label ?? id}</>;
}
