import type { RunningStandalone } from '../../support/services/running-standalone.ts';
import { timed } from '../statistics.ts';
import type { LibrarySize } from './plant-library.ts';

export interface LibraryRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object | FormData;
  /** The key of another environment; default: the key of the large one. */
  readonly apiKey?: string;
}

/** The measured service, and the values by which requests vary. */
export class LibraryService {
  readonly size: LibrarySize;
  /** The key of the environment that has only names. */
  readonly namesKey: string;
  readonly metricsUrl: string;
  readonly #fetch: RunningStandalone['fetch'];
  readonly #random: () => number;

  constructor(
    { fetch, opsUrl }: RunningStandalone,
    size: LibrarySize,
    options: { readonly namesKey: string; readonly random: () => number },
  ) {
    this.size = size;
    this.namesKey = options.namesKey;
    this.metricsUrl = `${opsUrl}/metrics`;
    this.#fetch = fetch;
    this.#random = options.random;
  }

  /** A random number below the limit. */
  number(below: number): number {
    return Math.floor(this.#random() * below);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.number(values.length)]!;
  }

  /** @throws Error with the answer unless it is a success */
  async ask<T>(request: LibraryRequest): Promise<T> {
    return JSON.parse(await this.text(request)) as T;
  }

  /** The milliseconds until the whole answer has arrived. */
  time(request: LibraryRequest): Promise<number> {
    return timed(() => this.text(request));
  }

  async text({ method = 'GET', path, body, apiKey }: LibraryRequest): Promise<string> {
    const isForm = body instanceof FormData;
    const response = await this.#fetch(path, {
      method,
      headers: {
        ...(apiKey !== undefined && { 'X-API-Key': apiKey }),
        ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
    return text;
  }
}
