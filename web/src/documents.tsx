// Collections and their documents: dropped, followed, listed, deleted.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { DocumentSummary } from "@gen/retrieve/v1/corpus_pb.js";
import { Announcer, announce } from "./announcer";
import { corpus, type Failure, failureOf, identity } from "./api";
import { options } from "./conversation";
import { Dialog } from "./dialog";
import { explain, language, type Translation, useWords } from "./i18n";
import { Icon } from "./icons";
import { Store, useStore } from "./store";
import { type Omission, upload, type UploadEvent } from "./upload";

interface Job {
  id: number;
  name: string;
  state: "waiting" | "sending" | "done" | "failed";
  text: string;
  /** What of the file is not in its documents. */
  missing?: string[];
}

const PAGE_SIZE = 100;
const AT_ONCE = 2;
const jobs = new Store<Job[]>([]);
const changes = new Store(0);
let lastId = 0;

export function Documents(): VNode {
  const t = useWords();
  const who = useStore(identity);
  const changed = useStore(changes);
  const { collection } = useStore(options);
  const choose = (name: string): void => options.update((now) => ({ ...now, collection: name === "default" ? "" : name }));
  const [principals, setPrincipals] = useState("");
  return (
    <div class="scroll">
      <div class="column documents">
        <CollectionChoice collection={collection || "default"} who={who.value} changed={changed} onChoose={choose} />
        <Drop onFiles={(files) => void sendAll(files, collection, principals, t)} />
        <label class="field">
          <span>{t("whoMaySee")}</span>
          <input value={principals} spellcheck={false} autocomplete="off" placeholder="alice, team:red" aria-describedby="who-hint" onInput={(event) => setPrincipals(event.currentTarget.value)} />
        </label>
        <p class="hint" id="who-hint">{t("everybody")}</p>
        <Jobs />
        <DocumentList key={`${collection} ${who.kind} ${who.value}`} collection={collection} changed={changed} />
      </div>
      <Announcer />
    </div>
  );
}

function CollectionChoice({ collection, who, changed, onChoose }: { collection: string; who: string; changed: number; onChoose: (name: string) => void }): VNode {
  const t = useWords();
  const [listed, setListed] = useState<{ name: string; documents: number }[]>([]);
  const [naming, setNaming] = useState(false);
  useEffect(() => {
    corpus.listCollections({}).then(
      ({ collections }) => setListed(collections.map((each) => ({ name: each.name, documents: Number(each.documents) }))),
      () => setListed([]),
    );
  }, [who, changed]);
  const all = listed.some((each) => each.name === collection) ? listed : [...listed, { name: collection, documents: 0 }];
  return (
    <div class="collections" role="group" aria-label={t("collection")}>
      {all.map((each) => (
        <button key={each.name} type="button" class={each.name === collection ? "pill current" : "pill"} aria-pressed={each.name === collection} onClick={() => onChoose(each.name)}>
          {each.name}<span class="count">{each.documents}</span>
        </button>
      ))}
      <button type="button" class="pill" onClick={() => setNaming(true)}><Icon name="plus" />{t("newCollection")}</button>
      {naming && <NewCollection onClose={() => setNaming(false)} onName={onChoose} />}
    </div>
  );
}

function NewCollection({ onClose, onName }: { onClose: () => void; onName: (name: string) => void }): VNode {
  const t = useWords();
  const [name, setName] = useState("");
  const create = (event: Event): void => {
    event.preventDefault();
    onName(name);
    onClose();
  };
  return (
    <Dialog title={t("newCollection")} onClose={onClose}>
      <form class="stack" onSubmit={create}>
        <label class="field"><span>{t("collectionName")}</span><input value={name} required maxLength={128} pattern="[A-Za-z0-9._\-]+" onInput={(event) => setName(event.currentTarget.value)} /></label>
        <div class="actions"><span class="spring" /><button type="submit" class="primary">{t("save")}</button></div>
      </form>
    </Dialog>
  );
}

function Drop({ onFiles }: { onFiles: (files: File[]) => void }): VNode {
  const t = useWords();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    onFiles([...(event.dataTransfer?.files ?? [])]);
  };
  const onChange = (): void => {
    onFiles([...(input.current?.files ?? [])]);
    if (input.current) input.current.value = "";
  };
  return (
    <div class={over ? "drop over" : "drop"} onDragOver={(event) => { event.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)} onDrop={onDrop}>
      <Icon name="upload" />
      <p><strong>{t("dropHere")}</strong> <button type="button" class="link" onClick={() => input.current?.click()}>{t("orChoose")}</button></p>
      <p class="hint">{t("formats")}</p>
      <input ref={input} type="file" multiple class="visually-hidden" tabIndex={-1} aria-label={t("orChoose")} onChange={onChange} />
    </div>
  );
}

function Jobs(): VNode | null {
  const t = useWords();
  const all = useStore(jobs);
  if (!all.length) return null;
  return (
    <ul class="jobs">
      {all.map((job) => (
        <li key={job.id} class={job.state}>
          <Icon name={job.state === "failed" ? "warn" : job.state === "done" ? "check" : "clock"} />
          <span class="job-name">{job.name}</span><span class="job-text">{job.text}</span>
          {!!job.missing?.length && (
            <details class="job-missing"><summary>{t("leftOut", { n: job.missing.length })}</summary><ul>{job.missing.map((part, at) => <li key={at}>{part}</li>)}</ul></details>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Send files, a few at once; each is a job that tells how far it is. */
async function sendAll(files: File[], collection: string, names: string, t: Translation): Promise<void> {
  const principals = names.split(/[\s,]+/).filter(Boolean);
  const queue = files.map((file) => ({ file, id: ++lastId }));
  jobs.update((now) => [...queue.map(({ file, id }): Job => ({ id, name: file.name, state: "waiting", text: t("node_waiting") })), ...now]);
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await send(next.file, next.id, collection, principals, t);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function send(file: File, id: number, collection: string, principals: string[], t: Translation): Promise<void> {
  const set = (change: Partial<Job>): void => jobs.update((now) => now.map((job) => (job.id === id ? { ...job, ...change } : job)));
  const missing: string[] = [];
  set({ state: "sending", text: t("uploading") });
  try {
    for await (const event of upload(file, collection, principals, new AbortController().signal)) {
      if (event.event === "left_out") missing.push(...event.omissions.map(partInWords));
      set({ ...changeOf(event, t), missing });
    }
  } catch (error) {
    set({ state: "failed", text: error instanceof TypeError ? t("errorUnavailable") : failureOf(error).message });
  }
  const job = jobs.value.find((each) => each.id === id);
  announce(`${file.name}: ${job?.text ?? ""}`);
  changes.update((n) => n + 1);
}

const partInWords = ({ place, reason, excerpt }: Omission): string => [place, reason, excerpt && `“${excerpt}”`].filter(Boolean).join(" · ");

function changeOf(event: UploadEvent, t: Translation): Partial<Job> {
  switch (event.event) {
    case "reading":
      return { text: t("reading") };
    case "progress":
      return { text: t("indexed", { n: event.passages }) };
    case "stored":
      return { state: event.status === "empty" ? "failed" : "done", text: t(event.status, { n: event.passages }) };
    case "failed":
      return { state: "failed", text: `${t("failed")}: ${event.name} ${event.line ? `(${event.line}) ` : ""}${event.reason}` };
    case "done":
      return event.documents > 1 ? { state: event.failed ? "failed" : "done", text: t("documentCount", { n: event.documents }) } : {};
    default:
      return {};
  }
}

function DocumentList({ collection, changed }: { collection: string; changed: number }): VNode {
  const t = useWords();
  const locale = useStore(language);
  const [documents, setDocuments] = useState<DocumentSummary[] | null>(null);
  const [next, setNext] = useState("");
  const [failure, setFailure] = useState<Failure | null>(null);
  const load = (pageToken: string): void => {
    corpus.listDocuments({ collection, pageSize: PAGE_SIZE, pageToken }).then(
      (page) => {
        setDocuments((now) => (pageToken ? [...(now ?? []), ...page.documents] : page.documents));
        setNext(page.nextPageToken);
        setFailure(null);
      },
      (error) => {
        const failed = failureOf(error);
        if (failed.reason === "COLLECTION_NOT_FOUND") setDocuments([]);
        else setFailure(failed);
      },
    );
  };
  useEffect(() => load(""), [changed]);
  if (failure) return <p class="problem" role="alert">{explain(failure.reason, t)}</p>;
  if (!documents) return <p class="hint">{t("loading")}</p>;
  if (!documents.length) return <p class="hint center">{t("noDocuments")}</p>;
  return (
    <>
      <ul class="document-list" aria-label={t("documents")}>
        {documents.map((each) => <DocumentRow key={each.documentId} document={each} collection={collection} locale={locale} onDeleted={() => changes.update((n) => n + 1)} />)}
      </ul>
      {next && <button type="button" onClick={() => load(next)}>{t("loadMore")}</button>}
    </>
  );
}

function DocumentRow({ document, collection, locale, onDeleted }: { document: DocumentSummary; collection: string; locale: string; onDeleted: () => void }): VNode {
  const t = useWords();
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState("");
  const title = document.title || document.documentId;
  const added = document.ingestedAt ? new Date(Number(document.ingestedAt.seconds) * 1000).toLocaleDateString(locale === "en" ? "en-GB" : locale, { day: "numeric", month: "short", year: "numeric" }) : "";
  const remove = (): void => {
    corpus.deleteDocument({ collection, documentId: document.documentId }).then(onDeleted, (error) => setProblem(explain(failureOf(error).reason, t)));
  };
  return (
    <li>
      <div class="document-name"><span>{title}</span><span class="hint">{[document.documentId !== title && document.documentId, document.date.slice(0, 10), `${document.passages} ${t("passages")}`, added && t("ingestedOn", { date: added }), document.metadata.left_out && `${t("notRead")}: ${document.metadata.left_out}`].filter(Boolean).join(" · ")}</span></div>
      <button type="button" class="quiet icon-only" aria-label={`${t("remove")}: ${title}`} onClick={() => setAsking(true)}><Icon name="trash" /></button>
      {asking && (
        <Dialog title={t("remove")} onClose={() => setAsking(false)}>
          <div class="stack">
            <p>{t("deleteDocument")}</p><p><strong>{title}</strong></p>
            {problem && <p class="problem" role="alert">{problem}</p>}
            <div class="actions"><span class="spring" /><button type="button" onClick={() => setAsking(false)}>{t("cancel")}</button><button type="button" class="danger" onClick={remove}>{t("remove")}</button></div>
          </div>
        </Dialog>
      )}
    </li>
  );
}
