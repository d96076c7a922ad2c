import { signal } from "@preact/signals";
import { useMessages } from "./i18n.js";
import { Icon } from "./icons.js";

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: "done" | "failed";
  readonly undo: (() => unknown) | undefined;
}

const notices = signal<readonly Notice[]>([]);
let last = 0;

/** Shows a notice to the person, in a live region. `undo` adds a button that reverts the change. */
export function notify(
  text: string,
  { kind = "done", undo }: { readonly kind?: "done" | "failed"; readonly undo?: (() => unknown) | undefined } = {},
): void {
  last += 1;
  const notice = { id: last, text, kind, undo };
  // A notice with an undo has no time limit: it stays until the person uses or closes it, or another undo replaces it.
  const others = notices.value.filter((one) => undo === undefined || one.undo === undefined);
  notices.value = [...others.slice(-3), notice];
  if (undo === undefined) setTimeout(() => remove(notice.id), 8_000);
}

function remove(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** The container of notices. Render it once, in the frame of the page. */
export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeLine({ notice: { id, kind, text, undo } }: { readonly notice: Notice }) {
  const t = useMessages("console");
  const takeBack = (): void => {
    remove(id);
    undo?.();
  };
  return (
    <div class={`notice ${kind}`}>
      <Icon name={kind === "done" ? "check" : "warning"} />
      <span>{text}</span>
      {undo && (
        <button type="button" class="button small" onClick={takeBack}>
          {t("undo")}
        </button>
      )}
      <button type="button" class="button quiet icon-only small" onClick={() => remove(id)} aria-label={t("close")}>
        <Icon name="close" />
      </button>
    </div>
  );
}
