import type { Page } from "playwright-core";
import { withinLimit } from "./time-limit.js";

/** What the Tab key reaches. */
export interface KeyboardWalk {
  /** What had the focus, in order: the role and the name of each, once around. */
  readonly seen: readonly string[];
  /** The controls in the contents of the page that never had it. */
  readonly missed: readonly string[];
}

interface Recorder {
  readonly seen: string[];
  readonly elements: Set<Element>;
  isAround: boolean;
}

declare global {
  interface Window {
    walk: Recorder;
  }
}

const chunk = 10;
const most = 400;

/** Walks a page by the Tab key, from where the focus is until the first one that had it gets it again. */
export async function walkByKeyboard(page: Page): Promise<KeyboardWalk> {
  return walk(page, "body");
}

/** Walks the contents of a page by the Tab key, from their start to their end: past the navigation, which is the same on each screen. */
export async function walkContents(page: Page): Promise<KeyboardWalk> {
  await withinLimit("the focus", page.getByRole("main").focus());
  return walk(page, "main");
}

async function walk(page: Page, root: string): Promise<KeyboardWalk> {
  await withinLimit("the start of the walk", page.evaluate(startRecorder, root));
  for (let step = 0; step < most; step += chunk) if (await withinLimit("keys", pressTabs(page))) break;
  return withinLimit("the end of the walk", page.evaluate(readRecorder));
}

/** Goes on by some keys; returns whether the walk is around. */
async function pressTabs(page: Page): Promise<boolean> {
  await Promise.all(Array.from({ length: chunk }, () => page.keyboard.press("Tab")));
  return page.evaluate(() => window.walk.isAround);
}

function startRecorder(selector: string): void {
  const root = document.querySelector(selector) ?? document.body;
  const recorder: Recorder = { seen: [], elements: new Set(), isAround: false };
  window.walk = recorder;
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || recorder.isAround) return;
    const [first] = recorder.elements;
    recorder.isAround = target === first || !root.contains(target);
    if (recorder.isAround) document.removeEventListener("focusin", note);
    if (!root.contains(target)) return;
    // An editor that loads, and a frame that is written again, take the focus a second time.
    if (recorder.elements.has(target)) return;
    recorder.elements.add(target);
    const name = target.getAttribute("aria-label") ?? target.textContent?.trim().slice(0, 60) ?? "";
    recorder.seen.push(`${target.getAttribute("role") ?? target.tagName.toLowerCase()} ${name}`);
  };
  document.addEventListener("focusin", note);
}

// Of a group of radio buttons, and of what has a tabindex of -1, keys of arrows reach the rest.
function readRecorder(): KeyboardWalk {
  const { elements, seen } = window.walk;
  const controls = document.querySelectorAll<HTMLElement>(
    ':is(main, dialog[open]) :is(button, a[href], input:not([type="radio"]), select, textarea, summary, [tabindex="0"])',
  );
  const missed = [...controls].filter(
    (control) => control.tabIndex >= 0 && !control.matches(":disabled") && control.checkVisibility() && !elements.has(control),
  );
  return { seen, missed: missed.map(({ outerHTML }) => outerHTML.slice(0, 160)) };
}
