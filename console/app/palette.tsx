import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../kit/dialog.js";
import { useMessages } from "../kit/i18n.js";
import { Icon } from "../kit/icons.js";
import { type Pickable, type PickableFamily, pickables } from "../kit/pickable.js";
import { shownAreas } from "./areas.js";
import { hasSingleKeys } from "./preferences.js";
import { may } from "./session.js";
import { labelOf } from "./shell.js";
import { go } from "./tenant.js";

/** Whether the search over areas and records is open. */
export const isPaletteOpen = signal(false);
/** Whether the list of keyboard shortcuts is open. */
export const areShortcutsShown = signal(false);

interface Found {
  readonly id: string;
  readonly icon: string;
  readonly label: string;
  readonly detail: string | undefined;
  readonly path: string;
}

const searched: readonly (readonly [PickableFamily, string])[] = [
  ["user", "users"],
  ["group", "groups"],
  ["application", "applications"],
  ["tenant", "tenants"],
];

/** The search over areas and records (Ctrl+K), and the list of keyboard shortcuts (?). */
export function Palette() {
  if (areShortcutsShown.value) return <Shortcuts />;
  return isPaletteOpen.value ? <OpenPalette /> : null;
}

function OpenPalette() {
  const t = useMessages("console");
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const found = useFound(text);
  const close = (): void => {
    isPaletteOpen.value = false;
  };
  const open = (one: Found | undefined): void => {
    if (one === undefined) return;
    close();
    go(one.path);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") setActive(Math.min(active + 1, found.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (event.key === "Enter") open(found[active]);
    else return;
    event.preventDefault();
  };
  const write = (value: string): void => {
    setActive(0);
    setText(value);
  };
  return (
    <Dialog title={t("palette")} onClose={close}>
      <div class="palette">
        <input
          class="input"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={found[active] && `palette-${active}`}
          aria-label={t("palette")}
          placeholder={t("paletteHint")}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div id="palette-list" role="listbox" aria-label={t("palette")} class="palette-list">
          {found.map((one, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys.
            <div
              key={one.id}
              id={`palette-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onClick={() => open(one)}
            >
              <Icon name={one.icon} />
              <span>{one.label}</span>
              {one.detail !== undefined && <span class="faint">{one.detail}</span>}
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  );
}

function useFound(text: string): readonly Found[] {
  const [records, setRecords] = useState<readonly Found[]>([]);
  useEffect(() => {
    if (text.trim() === "") return setRecords([]);
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const asked = searched.filter(([, area]) => shownAreas().some(({ name }) => name === area));
      const found = await Promise.all(asked.map(([family, icon]) => findRecords(family, icon, text, controller.signal)));
      if (!controller.signal.aborted) setRecords(found.flat());
    }, 250);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [text]);
  const word = text.trim().toLowerCase();
  const fitting = shownAreas().filter((area) => labelOf(area).toLowerCase().includes(word));
  const areas = fitting.map((area) => ({
    id: area.name,
    icon: area.icon,
    label: labelOf(area),
    detail: undefined,
    path: area.path ?? "/",
  }));
  return [...areas, ...records];
}

async function findRecords(family: PickableFamily, icon: string, text: string, signal: AbortSignal): Promise<readonly Found[]> {
  if (family === "tenant" && !may("GET", "/api/tenant")) return [];
  try {
    const pickable: Pickable = pickables[family];
    const choices = await pickable.find(text.trim(), signal);
    return choices.slice(0, 6).map(({ detail, id, label }) => ({ id, icon, label, detail, path: pickable.path(id) }));
  } catch {
    return [];
  }
}

function Shortcuts() {
  const t = useMessages("console");
  const keys = [
    ["Ctrl K", t("palette")],
    ["/", t("keySearch")],
    ["?", t("keys")],
    ...shownAreas().flatMap((area) => (area.key === undefined ? [] : [[`g ${area.key}`, labelOf(area)]])),
  ];
  return (
    <Dialog title={t("keys")} onClose={() => (areShortcutsShown.value = false)} size="small">
      <dl class="facts">
        {keys.map(([key, label]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <label class="menu-item">
        <input type="checkbox" checked={hasSingleKeys.value} onChange={() => (hasSingleKeys.value = !hasSingleKeys.value)} />
        <span>{t("singleKeys")}</span>
      </label>
    </Dialog>
  );
}
