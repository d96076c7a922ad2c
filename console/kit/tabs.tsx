import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useUrlState } from "./url-state.js";

/** One of the tabs of a screen. */
export interface Tab {
  readonly id: string;
  readonly label: string;
  render(): ComponentChildren;
}

/** Tabs. The address names the open one, and the arrow keys move between them. */
export function Tabs({
  label,
  name = "tab",
  tabs,
}: {
  readonly label: string;
  readonly name?: string;
  readonly tabs: readonly Tab[];
}) {
  const [chosen, setChosen] = useUrlState(name, tabs[0]?.id);
  const list = useRef<HTMLDivElement>(null);
  const open = tabs.find((tab) => tab.id === chosen) ?? tabs[0];
  const move = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, Home: -tabs.length, End: tabs.length };
    const step = steps[event.key];
    if (step === undefined || open === undefined) return;
    event.preventDefault();
    const turned = document.documentElement.dir === "rtl" && Math.abs(step) === 1 ? -step : step;
    const index = Math.min(tabs.length - 1, Math.max(0, tabs.indexOf(open) + turned));
    setChosen(tabs[index]?.id ?? "");
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
  };
  return (
    <>
      <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`tab-${tab.id}`}
            aria-controls="tab-panel"
            aria-selected={tab === open}
            tabIndex={tab === open ? 0 : -1}
            onClick={() => setChosen(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${open?.id}`} class="tab-panel">
        {open?.render()}
      </div>
    </>
  );
}
