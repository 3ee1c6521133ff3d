// Observable state: a value, and who wants to know when it changes.

import { useEffect, useState } from "preact/hooks";

export class Store<T> {
  private listeners = new Set<() => void>();
  private current: T;

  constructor(value: T) {
    this.current = value;
  }

  get value(): T {
    return this.current;
  }

  set value(value: T) {
    if (value === this.current) return;
    this.current = value;
    for (const listener of [...this.listeners]) listener();
  }

  update(change: (value: T) => T): void {
    this.value = change(this.current);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** The value of a store, rendered anew whenever it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, render] = useState({});
  useEffect(() => {
    const seen = store.value;
    const stop = store.subscribe(() => render({}));
    if (store.value !== seen) render({});
    return stop;
  }, [store]);
  return store.value;
}

/** A store whose value is kept in the browser's storage. */
export function kept<T>(storage: Storage, key: string, initial: T): Store<T> {
  const store = new Store<T>(read(storage, key) ?? initial);
  store.subscribe(() => write(storage, key, store.value));
  return store;
}

function read<T>(storage: Storage, key: string): T | undefined {
  try {
    const text = storage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

function write(storage: Storage, key: string, value: unknown): void {
  try {
    if (value === null || value === undefined) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage may be full or forbidden: the page works without it.
  }
}
