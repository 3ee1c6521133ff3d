// Where questions are written, with the options of a turn behind one button.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Announcer } from "./announcer";
import { ask, conversation, DEFAULTS, options, stop } from "./conversation";
import { useWords } from "./i18n";
import { Icon } from "./icons";
import { OptionsDialog } from "./options";
import { useStore } from "./store";

export function Composer(): VNode {
  const t = useWords();
  const { turns, session } = useStore(conversation);
  const chosen = useStore(options);
  const [text, setText] = useState("");
  const [choosing, setChoosing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const isRunning = turns.at(-1)?.running ?? false;
  useEffect(() => field.current?.focus({ preventScroll: true }), [session]);
  useEffect(() => fit(field.current), [text]);
  const send = (event?: Event): void => {
    event?.preventDefault();
    if (isRunning || !text.trim()) return;
    setText("");
    void ask(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
    if (event.key === "Escape" && isRunning) void stop();
  };
  const changed = JSON.stringify(chosen) !== JSON.stringify(DEFAULTS);
  return (
    <div class="composer-place">
      <form class="composer" onSubmit={send}>
        <label class="visually-hidden" for="question">{t("askLabel")}</label>
        <textarea id="question" ref={field} rows={1} maxLength={8192} value={text} placeholder={t(turns.length ? "askFollowUp" : "askPlaceholder")} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={onKeyDown} />
        <div class="composer-buttons">
          <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => setChoosing(true)}><Icon name="sliders" />{t("options")}{changed && <span class="dot" />}</button>
          <OptionsSummary />
          <span class="spring" />
          {isRunning ? (
            <button type="button" class="primary round" onClick={() => void stop()} aria-label={t("stop")}><Icon name="stop" /></button>
          ) : (
            <button type="submit" class="primary round" disabled={!text.trim()} aria-label={t("send")}><Icon name="send" /></button>
          )}
        </div>
      </form>
      <Announcer />
      {choosing && <OptionsDialog onClose={() => setChoosing(false)} />}
    </div>
  );
}

function OptionsSummary(): VNode {
  const t = useWords();
  const { collection, pro, web } = useStore(options);
  const parts = [collection || t("defaultCollection"), pro && t("timeline"), web && "Web"].filter(Boolean);
  return <span class="summary">{parts.join(" · ")}</span>;
}

/** Grow a field with its text. */
function fit(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, 200)}px`;
}
