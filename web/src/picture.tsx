// A picture of a document, beside the paragraph that it illustrates.

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PlacedImage } from "@gen/context/v1/answer_pb.js";
import { corpus } from "./api";
import { useWords } from "./i18n";
import type { Turn } from "./turn";

export function Picture({ placed, turn }: { placed: PlacedImage; turn: Turn }): VNode | null {
  const t = useWords();
  const image = placed.image;
  const collection = turn.references[0]?.evidence?.passage?.collection ?? "";
  const url = useImage(collection, image?.imageId ?? "");
  if (!image || url === null) return null;
  const caption = image.caption || t("picture");
  return (
    <figure class="picture">
      {url && <img src={url} alt={caption} width={image.width || undefined} height={image.height || undefined} />}
      <figcaption>{image.caption}</figcaption>
    </figure>
  );
}

/** The address of a picture's bytes; empty while they load, null if there are none. */
function useImage(collection: string, imageId: string): string | null {
  const [url, setUrl] = useState<string | null>("");
  useEffect(() => {
    let made = "";
    let gone = false;
    corpus.getImage({ collection, imageId }).then(({ data, mediaType }) => {
      if (gone) return;
      made = data.length ? urlOf(data, mediaType) : "";
      setUrl(made || null);
    }, () => setUrl(null));
    return () => {
      gone = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [collection, imageId]);
  return url;
}

/** The address of a picture's bytes, until it is revoked. */
export function urlOf(data: Uint8Array, mediaType: string): string {
  return URL.createObjectURL(new Blob([new Uint8Array(data)], { type: safeType(mediaType) }));
}

function safeType(type: string): string {
  return /^image\/(png|jpeg|gif|webp)$/.test(type) ? type : "image/png";
}
