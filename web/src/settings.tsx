// Who the user is, and how the page looks.

import type { VNode } from "preact";
import { identity, type Identity } from "./api";
import { type Appearance, appearance } from "./appearance";
import { Dialog } from "./dialog";
import { type Language, language, useWords } from "./i18n";
import { useStore } from "./store";

export function Settings({ onClose }: { onClose: () => void }): VNode {
  const t = useWords();
  const who = useStore(identity);
  const set = (change: Partial<Identity>): void => identity.update((now) => ({ ...now, ...change }));
  const kinds: [Identity["kind"], string][] = [["principals", t("principals")], ["key", t("apiKey")], ["token", t("token")]];
  return (
    <Dialog title={t("settings")} onClose={onClose}>
      <div class="stack">
        <fieldset class="stack">
          <legend>{t("identity")}</legend>
          <div class="segments" role="radiogroup" aria-label={t("identity")}>
            {kinds.map(([kind, label]) => (
              <label key={kind}><input type="radio" name="identity" checked={who.kind === kind} onChange={() => set({ kind, value: "" })} /><span>{label}</span></label>
            ))}
          </div>
          <input aria-label={kinds.find(([kind]) => kind === who.kind)?.[1]} aria-describedby="identity-hint" type={who.kind === "principals" ? "text" : "password"} autocomplete="off" spellcheck={false} value={who.value} placeholder={who.kind === "principals" ? "alice, team:red" : ""} onChange={(event) => set({ value: event.currentTarget.value })} />
          <p class="hint" id="identity-hint">{t(who.kind === "principals" ? "principalsHint" : "secretHint")}</p>
        </fieldset>
        <fieldset>
          <legend>{t("appearance")}</legend>
          <Choice name="appearance" store={appearance} choices={[["system", t("system")], ["light", t("light")], ["dark", t("dark")]]} />
        </fieldset>
        <fieldset>
          <legend>{t("language")}</legend>
          <Choice name="language" store={language} choices={[["en", "English"], ["de", "Deutsch"]]} />
        </fieldset>
      </div>
    </Dialog>
  );
}

interface ChoiceProps<T extends Appearance | Language> {
  name: string;
  store: { value: T; subscribe: (listener: () => void) => () => void };
  choices: [T, string][];
}

function Choice<T extends Appearance | Language>({ name, store, choices }: ChoiceProps<T>): VNode {
  const value = useStore(store as never) as T;
  return (
    <div class="segments">
      {choices.map(([each, label]) => (
        <label key={each}><input type="radio" name={name} checked={each === value} onChange={() => (store.value = each)} /><span>{label}</span></label>
      ))}
    </div>
  );
}
