// The turns of a conversation, and what is shown before the first one.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { corpus } from "./api";
import { ask, conversation, open, options } from "./conversation";
import { explain, useWords } from "./i18n";
import { Icon } from "./icons";
import { useStore } from "./store";
import { TurnView } from "./turn_view";

const PART = 30; // turns that are drawn, and as many more at each click (taste)

export function ConversationView(): VNode {
  const { turns, loading, failure, session } = useStore(conversation);
  const t = useWords();
  const [count, setCount] = useState(PART);
  const place = useLastTurn(turns.length);
  const retry = (): void => void open(session);
  return (
    <div class="scroll" ref={place}>
      <div class="column">
        {loading && <p class="hint center">{t("loading")}</p>}
        {failure && (
          <div class="notice bad" role="alert"><Icon name="warn" /><div><p>{explain(failure.reason, t)}</p><button type="button" onClick={retry}>{t("retry")}</button></div></div>
        )}
        {!turns.length && !loading && !failure && <Welcome />}
        {turns.length > count && <button type="button" onClick={() => setCount(count + PART)}>{t("loadBefore")}</button>}
        {turns.slice(-count).map((turn) => <TurnView key={turn.key} turn={turn} isLast={turn === turns.at(-1)} />)}
      </div>
    </div>
  );
}

/** Show a turn from its question on as soon as it is there; its answer grows below, and nothing moves while it is read. */
function useLastTurn(turns: number): { current: HTMLDivElement | null } {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector(".turn:last-of-type")?.scrollIntoView({ block: "start" }), [turns]);
  return place;
}

function Welcome(): VNode {
  const t = useWords();
  const { collection } = useStore(options);
  const [titles, setTitles] = useState<string[] | null>(null);
  useEffect(() => {
    corpus.listDocuments({ collection, pageSize: 40 }).then(
      ({ documents }) => setTitles(documents.map((each) => each.title).filter(Boolean)),
      () => setTitles(null),
    );
  }, [collection]);
  const isEmpty = titles?.length === 0;
  return (
    <section class="welcome">
      <img src="./icon.svg" alt="" width="52" height="52" />
      <h2>{t("emptyTitle")}</h2>
      <p>{isEmpty ? t("emptyDocuments") : t("emptyText")}</p>
      {isEmpty && <a class="button primary" href="#/documents"><Icon name="upload" />{t("addDocuments")}</a>}
      {titles && titles.length > 0 && (
        <ul class="starters">
          {spread(titles, 4).map((title) => <li key={title}><button type="button" onClick={() => void ask(t("starter", { title }))}>{title}</button></li>)}
        </ul>
      )}
    </section>
  );
}

/** Some of many, evenly apart. */
function spread<T>(many: T[], count: number): T[] {
  const step = Math.max(1, many.length / count);
  return Array.from({ length: Math.min(count, many.length) }, (_, n) => many[Math.floor(n * step)] as T);
}
