// The page: conversations beside the conversation, documents, and the passage that is open.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { identity, type Identity } from "./api";
import { Composer } from "./composer";
import { begin, conversation, open } from "./conversation";
import { ConversationView } from "./conversation_view";
import { Documents } from "./documents";
import { language, useWords } from "./i18n";
import { Icon } from "./icons";
import { PassagePanel } from "./passage_panel";
import { listSessions, nameOf, sessionList } from "./session_list";
import { Settings } from "./settings";
import { Sidebar } from "./sidebar";
import { useStore } from "./store";

type View = { name: "conversation"; session: string } | { name: "documents" };

function viewOf(hash: string): View {
  const session = /^#\/c\/([A-Za-z0-9._-]{1,128})/.exec(hash)?.[1] ?? "";
  return hash.startsWith("#/documents") ? { name: "documents" } : { name: "conversation", session };
}

export function App(): VNode {
  const t = useWords();
  const lang = useStore(language);
  const who = useStore(identity);
  const view = useView();
  const [menu, setMenu] = useState(false);
  const [settings, setSettings] = useState(false);
  useEffect(() => {
    document.documentElement.lang = lang;
  }, [lang]);
  useIdentity(who);
  useEffect(() => setMenu(false), [view]);
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>{t("skip")}</a>
      <div class={`page ${menu ? "menu-open" : ""}`}>
        <Sidebar view={view.name} isOpen={menu} onSettings={() => setSettings(true)} onClose={() => setMenu(false)} />
        <main id="main" tabIndex={-1}>
          <header class="bar">
            <button type="button" class="quiet icon-only" aria-label={t("menu")} aria-expanded={menu} onClick={() => setMenu(!menu)}><Icon name="menu" /></button>
            <Title view={view.name} />
            <a class="button quiet icon-only" href="#/" aria-label={t("newConversation")}><Icon name="plus" /></a>
          </header>
          {view.name === "documents" ? <Documents /> : <><ConversationView /><Composer /></>}
        </main>
        <PassagePanel />
      </div>
      {settings && <Settings onClose={() => setSettings(false)} />}
    </>
  );
}

/** Move the focus to the conversation; the address names it already. */
function skip(event: Event): void {
  event.preventDefault();
  (document.getElementById("question") ?? document.getElementById("main"))?.focus();
}

/** What is shown belongs to who the user is: it is read anew for another one. */
function useIdentity(who: Identity): void {
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) {
      begin();
      const view = viewOf(location.hash);
      if (view.name === "conversation" && view.session) void open(view.session);
    }
    first.current = false;
    void listSessions();
  }, [who]);
}

/** The view that the address names; a conversation that it names is opened. */
function useView(): View {
  const [view, setView] = useState(() => viewOf(location.hash));
  useEffect(() => {
    const follow = (): void => {
      const next = viewOf(location.hash);
      if (next.name === "conversation") {
        if (next.session) void open(next.session);
        else if (conversation.value.session) begin();
      }
      setView(next);
    };
    follow();
    addEventListener("hashchange", follow);
    addEventListener("popstate", follow);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener("popstate", follow);
    };
  }, []);
  return view;
}

function Title({ view }: { view: string }): VNode {
  const t = useWords();
  const { session, turns } = useStore(conversation);
  const listed = useStore(sessionList).find((each) => each.sessionId === session);
  const title = view === "documents" ? t("documents") : (listed && nameOf(listed)) || turns[0]?.question || t("newConversation");
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  return <h1 class="bar-title">{title}</h1>;
}
