// One live region for the whole page: what a screen reader says, and for some messages a note that is seen, too.

import type { VNode } from "preact";
import { Store, useStore } from "./store";

interface Message {
  text: string;
  isSeen: boolean;
}

const message = new Store<Message>({ text: "", isSeen: false });
const SECONDS_SEEN = 4;

export function announce(text: string, isSeen = false): void {
  const next = { text, isSeen };
  message.value = next;
  if (isSeen) setTimeout(() => message.value === next && (message.value = { text: "", isSeen: false }), SECONDS_SEEN * 1000);
}

export function Announcer(): VNode {
  const { text, isSeen } = useStore(message);
  return <div class={isSeen ? "toast" : "visually-hidden"} role="status" aria-live="polite" aria-atomic="true">{text}</div>;
}
