// Light or dark: as the system, unless the user has chosen.

import { kept } from "./store";

export type Appearance = "system" | "light" | "dark";

export const appearance = kept<Appearance>(localStorage, "parley.appearance", "system");

export function applyAppearance(): void {
  const apply = (): void => {
    document.documentElement.dataset.appearance = appearance.value;
  };
  appearance.subscribe(apply);
  apply();
}
