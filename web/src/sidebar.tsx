// The user's conversations: open, name, share, delete.

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Session } from "@gen/gateway/v1/session_pb.js";
import { failureOf } from "./api";
import { conversation, deleteSession } from "./conversation";
import { Dialog } from "./dialog";
import { announce } from "./announcer";
import { explain, language, useWords } from "./i18n";
import { Icon } from "./icons";
import { byDay, LONGEST_TITLE, nameOf, renameSession, sessionList } from "./session_list";
import { useStore } from "./store";

interface Props {
  view: string;
  isOpen: boolean;
  onSettings: () => void;
  onClose: () => void;
}

export function Sidebar({ view, isOpen, onSettings, onClose }: Props): VNode {
  const t = useWords();
  return (
    <>
      <div class="backdrop" onClick={onClose} />
      <aside class={isOpen ? "sidebar open" : "sidebar"} aria-label={t("conversations")} onKeyDown={(event) => event.key === "Escape" && onClose()}>
        <a class="brand" href="#/"><img src="./icon.svg" alt="" width="28" height="28" /><span>Parley</span></a>
        <a class="button primary wide" href="#/"><Icon name="plus" />{t("newConversation")}</a>
        <nav class="sessions" aria-label={t("conversations")}><SessionList isShown={view === "conversation"} /></nav>
        <div class="sidebar-foot">
          <a class="row-link" href="#/documents" aria-current={view === "documents" ? "page" : undefined}><Icon name="files" />{t("documents")}</a>
          <button type="button" class="row-link" onClick={onSettings}><Icon name="gear" />{t("settings")}</button>
        </div>
      </aside>
    </>
  );
}

function SessionList({ isShown }: { isShown: boolean }): VNode {
  const t = useWords();
  const listed = useStore(sessionList);
  const current = useStore(conversation).session;
  const locale = useStore(language) === "en" ? "en-GB" : "de-DE";
  const [words, setWords] = useState("");
  if (!listed.length) return <p class="hint">{t("noConversations")}</p>;
  const fitting = listed.filter((session) => nameOf(session).toLowerCase().includes(words.trim().toLowerCase()));
  return (
    <>
      <input type="search" value={words} placeholder={t("findConversation")} aria-label={t("findConversation")} onInput={(event) => setWords(event.currentTarget.value)} />
      {byDay(fitting, locale).map(([day, sessions]) => (
        <section key={day} aria-label={day}>
          <p class="hint day">{day}</p>
          <ul>{sessions.map((session) => <Row key={session.sessionId} session={session} isCurrent={isShown && session.sessionId === current} />)}</ul>
        </section>
      ))}
    </>
  );
}

function Row({ session, isCurrent }: { session: Session; isCurrent: boolean }): VNode {
  const t = useWords();
  const [managing, setManaging] = useState(false);
  const title = nameOf(session);
  return (
    <li class={isCurrent ? "session current" : "session"}>
      <a href={`#/c/${session.sessionId}`} aria-current={isCurrent ? "page" : undefined} title={title}>{title}</a>
      <button type="button" class="quiet icon-only" aria-label={`${t("more")}: ${title}`} aria-haspopup="dialog" onClick={() => setManaging(true)}><Icon name="dots" /></button>
      {managing && <Manage session={session} title={title} onClose={() => setManaging(false)} />}
    </li>
  );
}

function Manage({ session, title, onClose }: { session: Session; title: string; onClose: () => void }): VNode {
  const t = useWords();
  const [name, setName] = useState(session.title);
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState("");
  const id = session.sessionId;
  const fail = (error: unknown): void => setProblem(explain(failureOf(error).reason, t));
  const rename = (event: Event): void => {
    event.preventDefault();
    renameSession(id, name).then(onClose, fail);
  };
  const share = async (): Promise<void> => {
    await navigator.clipboard?.writeText(`${location.origin}${location.pathname}#/c/${id}`);
    announce(t("linkCopied"), true);
    onClose();
  };
  const remove = (): void => {
    deleteSession(id).then(onClose, fail);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={rename}>
        <label class="field"><span>{t("name")}</span><input value={name} placeholder={session.firstQuestion} maxLength={LONGEST_TITLE} onInput={(event) => setName(event.currentTarget.value)} /></label>
        <p class="hint">{t("renameHint")}</p>
        {problem && <p class="problem" role="alert">{problem}</p>}
        {asking && <p class="problem" role="alert">{t("deleteConversation")}</p>}
        <div class="actions">
          <button type="button" class="danger" onClick={() => (asking ? remove() : setAsking(true))}><Icon name="trash" />{t("remove")}</button>
          <span class="spring" />
          <button type="button" onClick={() => void share()}><Icon name="link" />{t("copyLink")}</button>
          <button type="submit" class="primary">{t("save")}</button>
        </div>
      </form>
    </Dialog>
  );
}
