import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useMessages } from "./i18n.js";
import { Icon } from "./icons.js";

/** Props of a dialog. */
export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Buttons at the end. */
  readonly footer?: ComponentChildren;
  readonly size?: "small" | "medium" | "large";
  onClose(): void;
}

/** A modal dialog. Escape calls `onClose`, and on removal the focus returns to the element that had it before. */
export function Dialog({ children, footer, onClose, size = "medium", title }: DialogProps) {
  const t = useMessages("console");
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const close = (event: Event): void => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={element} class={`dialog dialog-${size}`} aria-labelledby={id} onCancel={close}>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="button quiet icon-only" onClick={onClose} aria-label={t("close")}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
      {footer !== undefined && <footer class="dialog-foot">{footer}</footer>}
    </dialog>
  );
}
