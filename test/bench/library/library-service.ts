import type { RunningStandalone } from '../../support/services/running-standalone.ts';

export interface LibraryRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object | FormData;
  /** The key of another environment; default: the key of the large one. */
  readonly apiKey?: string;
}

/** Sends requests to the measured service. */
export class LibraryService {
  readonly #service: RunningStandalone;

  constructor(service: RunningStandalone) {
    this.#service = service;
  }

  get metricsUrl(): string {
    return `${this.#service.opsUrl}/metrics`;
  }

  /** @throws Error with the answer unless it is a success */
  async ask<T>(request: LibraryRequest): Promise<T> {
    return JSON.parse(await this.text(request)) as T;
  }

  /** The milliseconds until the whole answer has arrived. */
  async time(request: LibraryRequest): Promise<number> {
    const start = performance.now();
    await this.text(request);
    return performance.now() - start;
  }

  async text({ method = 'GET', path, body, apiKey }: LibraryRequest): Promise<string> {
    const isForm = body instanceof FormData;
    const response = await this.#service.fetch(path, {
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
