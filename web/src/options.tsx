// How questions are answered.

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Length } from "@gen/answer/v1/answer_pb.js";
import { Strategy } from "@gen/context/v1/query_pb.js";
import { corpus, gateway } from "./api";
import { DEFAULTS, options, type Options } from "./conversation";
import { Dialog } from "./dialog";
import { type Word, useWords } from "./i18n";
import { useStore } from "./store";

const STRATEGIES: [Strategy, Word][] = [
  [Strategy.UNSPECIFIED, "strategyDefault"],
  [Strategy.WEIGHTED, "strategyWeighted"],
  [Strategy.LADDER, "strategyLadder"],
  [Strategy.LAST_TURN, "strategyLastTurn"],
  [Strategy.MMR, "strategyMmr"],
  [Strategy.MULTI_QUERY, "strategyMultiQuery"],
  [Strategy.LLM, "strategyLlm"],
];
const LENGTHS: [Length, Word][] = [
  [Length.UNSPECIFIED, "lengthDefault"],
  [Length.SHORT, "lengthShort"],
  [Length.MEDIUM, "lengthMedium"],
  [Length.LONG, "lengthLong"],
];

export function OptionsDialog({ onClose }: { onClose: () => void }): VNode {
  const t = useWords();
  const chosen = useStore(options);
  const collections = useCollections();
  const { models, isWebSearched } = useEngines();
  const set = (change: Partial<Options>): void => options.update((now) => ({ ...now, ...change }));
  return (
    <Dialog title={t("options")} onClose={onClose}>
      <div class="stack">
        <label class="field">
          <span>{t("collection")}</span>
          <select value={chosen.collection} onChange={(event) => set({ collection: event.currentTarget.value })}>
            <option value="">{t("defaultCollection")}</option>
            {collections.filter((name) => name !== "default").map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
        <label class="check"><input type="checkbox" checked={chosen.pro} onChange={(event) => set({ pro: event.currentTarget.checked })} /><span>{t("pro")}</span></label>
        {isWebSearched && <label class="check"><input type="checkbox" checked={chosen.web} onChange={(event) => set({ web: event.currentTarget.checked })} /><span>{t("web")}</span></label>}
        <label class="field">
          <span>{t("strategy")}</span>
          <select value={chosen.strategy} onChange={(event) => set({ strategy: Number(event.currentTarget.value) })}>
            {STRATEGIES.map(([value, word]) => <option key={value} value={value}>{t(word)}</option>)}
          </select>
        </label>
        <label class="field">
          <span>{t("model")}</span>
          <select value={chosen.model} onChange={(event) => set({ model: event.currentTarget.value })}>
            <option value="">{t("modelDefault")}</option>
            <option value="rules">{t("modelRules")}</option>
            {models.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
        <div class="two">
          <label class="field">
            <span>{t("length")}</span>
            <select value={chosen.length} onChange={(event) => set({ length: Number(event.currentTarget.value) })}>
              {LENGTHS.map(([value, word]) => <option key={value} value={value}>{t(word)}</option>)}
            </select>
          </label>
          <label class="field">
            <span>{t("budget")}</span>
            <input type="number" min="0" step="500" inputMode="numeric" value={chosen.maxTokens || ""} placeholder={t("budgetTokens")} aria-describedby="budget-unit" onInput={(event) => set({ maxTokens: Math.max(0, Math.round(event.currentTarget.valueAsNumber || 0)) })} />
          </label>
        </div>
        <p class="hint" id="budget-unit">{t("budget")} … {t("budgetUnit")}</p>
        <div class="actions">
          <button type="button" onClick={() => (options.value = DEFAULTS)}>{t("reset")}</button>
          <span class="spring" />
          <button type="button" class="primary" onClick={onClose}>{t("close")}</button>
        </div>
      </div>
    </Dialog>
  );
}

function useCollections(): string[] {
  const [names, setNames] = useState<string[]>(options.value.collection ? [options.value.collection] : []);
  useEffect(() => {
    corpus.listCollections({}).then(({ collections }) => setNames(collections.map((each) => each.name)), () => undefined);
  }, []);
  return names;
}

/** The language models that write answers, as the suite names them, and whether it has a search engine of the web. */
function useEngines(): { models: string[]; isWebSearched: boolean } {
  const [engines, setEngines] = useState({ models: [] as string[], isWebSearched: false });
  useEffect(() => {
    gateway.getServerInfo({}).then(({ stages }) => {
      const tasks = stages.flatMap((stage) => stage.info?.capabilities ?? []);
      const models = tasks.filter((task) => task.task === "write" && task.engine.includes("llm")).flatMap((task) => task.detail.split(/,\s*/));
      const isWebSearched = tasks.some((task) => task.task === "search the web" && task.engine !== "none");
      setEngines({ models: [...new Set(models.filter(Boolean))], isWebSearched });
    }, () => undefined);
  }, []);
  return engines;
}
