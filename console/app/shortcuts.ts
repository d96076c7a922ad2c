import { useEffect } from "preact/hooks";
import { shownAreas } from "./areas.js";
import { areShortcutsShown, isPaletteOpen } from "./palette.js";
import { hasSingleKeys } from "./preferences.js";
import { session } from "./session.js";
import { go } from "./tenant.js";

let isAfterG = false;

/** Global keyboard shortcuts: Ctrl+K, and single keys unless the person turned them off or is typing. */
export function useShortcuts(): void {
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function onKeyDown(event: KeyboardEvent): void {
  if (session.value == null) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    isPaletteOpen.value = true;
    return;
  }
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!hasSingleKeys.value || !isPlain || isWriting(event.target) || document.querySelector("dialog[open]") !== null) return;
  if (pressed(event.key)) event.preventDefault();
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

function pressed(key: string): boolean {
  if (isAfterG) {
    isAfterG = false;
    const area = shownAreas().find((one) => one.key === key);
    if (area?.path !== undefined) go(area.path);
    return area !== undefined;
  }
  if (key === "g") {
    isAfterG = true;
    setTimeout(() => (isAfterG = false), 1_500);
    return true;
  }
  if (key === "?") areShortcutsShown.value = true;
  else if (key === "/") document.querySelector<HTMLElement>("[data-search]")?.focus();
  else return false;
  return true;
}
