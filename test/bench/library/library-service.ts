import type { RunningStandalone } from '../../support/services/running-standalone.ts';

export interface LibraryRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object | FormData;
  /** Of another environment than the large one. */
  readonly apiKey?: string;
}

/** What the service says that it can do; how long it takes to answer. */
export class LibraryService {
  readonly #service: RunningStandalone;
  readonly #operations: Readonly<Record<string, object>>;

  private constructor(service: RunningStandalone, operations: Readonly<Record<string, object>>) {
    this.#service = service;
    this.#operations = operations;
  }

  static async of(service: RunningStandalone): Promise<LibraryService> {
    const response = await service.fetch('/openapi.json');
    const { paths } = (await response.json()) as { paths: Readonly<Record<string, object>> };
    return new LibraryService(service, paths);
  }

  /** @param path as in the API's description: `/api/identities/{id}` */
  offers(method: string, path: string): boolean {
    return method.toLowerCase() in (this.#operations[path] ?? {});
  }

  /** @throws Error with the answer if it is no success */
  async ask<T>(request: LibraryRequest): Promise<T> {
    return JSON.parse(await this.text(request)) as T;
  }

  /** The time until the whole answer is there, in milliseconds. */
  async time(request: LibraryRequest): Promise<number> {
    const start = performance.now();
    await this.text(request);
    return performance.now() - start;
  }

  /** The resident memory of the service's process, in bytes. */
  async memory(): Promise<number> {
    const metrics = await (await fetch(`${this.#service.opsUrl}/metrics`)).text();
    return Number(/^process_resident_memory_bytes (.+)$/m.exec(metrics)![1]);
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
