// A modal dialog of the browser: it keeps the focus, and Escape closes it.

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useWords } from "./i18n";
import { Icon } from "./icons";

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  className?: string;
}

export function Dialog({ title, onClose, children, className = "" }: Props): VNode {
  const t = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => (before instanceof HTMLElement ? before.focus() : undefined);
  }, []);
  const onClick = (event: MouseEvent): void => {
    if (event.target === dialog.current) onClose();
  };
  return (
    <dialog ref={dialog} class={`dialog ${className}`} aria-labelledby="dialog-title" onClose={onClose} onClick={onClick}>
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id="dialog-title">{title}</h2>
          <button type="button" class="quiet icon-only" onClick={onClose} aria-label={t("close")}><Icon name="close" /></button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
