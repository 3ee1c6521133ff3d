// The page of a PDF that a citation comes from, with the cited words marked on its picture.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Passage } from "@gen/context/v1/evidence_pb.js";
import type { GetPagePictureResponse } from "@gen/retrieve/v1/corpus_pb.js";
import { corpus } from "./api";
import { useWords } from "./i18n";
import { Icon } from "./icons";
import { urlOf } from "./picture";

/** Positions in the text of the passage's document. */
export interface Place {
  start: number;
  end: number;
}

/** The page on which the words are; nothing if the suite has no picture of it. */
export function PageView({ passage, place, onShown }: { passage: Passage; place: Place; onShown: () => void }): VNode | null {
  const t = useWords();
  const [wanted, setWanted] = useState(0);
  const shown = usePage(passage, place, wanted);
  const boxes = useRef<HTMLDivElement>(null);
  useEffect(() => boxes.current?.firstElementChild?.scrollIntoView({ block: "center" }), [shown]);
  useEffect(() => void (shown && onShown()), [shown !== null]);
  if (!shown) return null;
  const { page, pages, width, height } = shown.picture;
  const label = t("page", { n: page });
  return (
    <figure class="sheet">
      <div class="sheet-scroll" tabIndex={0} role="group" aria-label={label}>
        <div class="sheet-picture">
          <img src={shown.url} alt={label} width={width} height={height} />
          <div class="sheet-boxes" ref={boxes} aria-hidden="true">
            {shown.picture.boxes.map((box, index) => (
              <span key={index} style={{ left: share(box.left), top: share(box.top), width: share(box.right - box.left), height: share(box.bottom - box.top) }} />
            ))}
          </div>
        </div>
      </div>
      <figcaption>
        <button type="button" class="quiet icon-only back" aria-label={t("pageBefore")} disabled={page <= 1} onClick={() => setWanted(page - 1)}><Icon name="arrow" /></button>
        <span class="hint" aria-live="polite">{page} / {pages}</span>
        <button type="button" class="quiet icon-only" aria-label={t("pageAfter")} disabled={page >= pages} onClick={() => setWanted(page + 1)}><Icon name="arrow" /></button>
      </figcaption>
    </figure>
  );
}

interface Shown {
  picture: GetPagePictureResponse;
  url: string;
}

/** A page with its picture's address, the one before while it loads; null for none. */
function usePage(passage: Passage, place: Place, page: number): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    let url = "";
    let gone = false;
    corpus.getPagePicture({ collection: passage.collection, documentId: passage.documentId, span: place, page }).then((picture) => {
      if (gone) return;
      url = urlOf(picture.data, picture.mediaType);
      setShown({ picture, url });
    }, () => undefined);
    return () => {
      gone = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [page]);
  return shown;
}

function share(part: number): string {
  return `${part * 100}%`;
}
