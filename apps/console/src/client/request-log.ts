import type { Endpoint } from './endpoint.ts';

/** One request of the page, as the panel "API" shows it. */
export interface LoggedRequest {
  readonly id: number;
  readonly method: Endpoint['method'];
  /** The path and the query. */
  readonly target: string;
  /** The JSON of the body, or the names of the parts of a form; null without a body. */
  readonly body: { readonly json: string } | { readonly form: readonly string[] } | null;
  readonly status: number | null;
}

const CAPACITY = 50;

/** The latest requests of this page, the newest first. */
export class RequestLog {
  #entries: readonly LoggedRequest[] = [];
  #nextId = 1;
  readonly #listeners = new Set<() => void>();

  get entries(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** @returns a function that sets the status of the answer */
  add(entry: Omit<LoggedRequest, 'id' | 'status'>): (status: number) => void {
    const id = this.#nextId++;
    this.#set([{ ...entry, id, status: null }, ...this.#entries].slice(0, CAPACITY));
    return (status) =>
      this.#set(this.#entries.map((each) => (each.id === id ? { ...each, status } : each)));
  }

  clear(): void {
    this.#set([]);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(entries: readonly LoggedRequest[]): void {
    this.#entries = entries;
    for (const listener of this.#listeners) listener();
  }
}
