// Line icons, drawn on a grid of 20.

import type { VNode } from "preact";

const PATHS = {
  plus: "M10 4v12M4 10h12",
  menu: "M3 6h14M3 10h14M3 14h14",
  close: "M5 5l10 10M15 5L5 15",
  send: "M10 16V4M5 9l5-5 5 5",
  stop: "M6 6h8v8H6z",
  sliders: "M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4",
  files: "M6 3h6l4 4v10H6zM12 3v4h4",
  gear: "M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM10 2.5v2M10 15.5v2M2.5 10h2M15.5 10h2M4.7 4.7l1.4 1.4M13.9 13.9l1.4 1.4M15.3 4.7l-1.4 1.4M6.1 13.9l-1.4 1.4",
  dots: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  copy: "M7 7h9v9H7zM13 7V4H4v9h3",
  link: "M8.5 11.5l3-3M9 6l1.5-1.5a3.2 3.2 0 0 1 4.6 4.6L13.5 11M6.5 9L5 10.500a3.200 3.200 0 0 0 4.500 4.500L11 13.500",
  pencil: "M4 16l1-4 8.500-8.500 3 3L8 15z",
  trash: "M4 6h12M8 6V4h4v2M6 6l.7 10h6.600L14 6",
  upload: "M10 13V4M6 8l4-4 4 4M4 16h12",
  check: "M4 10.500l4 4 8-9",
  warn: "M10 7v4M10 14h.01M10 2.800L18 16.500H2z",
  clock: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4l3 2",
  arrow: "M4 10h12M11 5l5 5-5 5",
  minus: "M4 10h12",
  external: "M8 5H4v11h11v-4M11 4h5v5M16 4l-7 7",
  down: "M10 4v9M6 9.500l4 4 4-4M4 16.500h12",
};

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
