import { randomId } from '../client/random-id.ts';
import type { Upload, UploadChoices, UploadSource, UploadState } from './upload.ts';

/** The photos of one request, which are the same and have the same key when it is repeated. */
export interface UploadUnit {
  readonly key: string;
  readonly uploads: readonly Upload[];
}

export type ReportUpload = (upload: Upload, state: UploadState) => void;

export interface UploadQueueOptions {
  /** Chooses the photos of the next request among those that wait. */
  readonly plan: (waiting: readonly Upload[]) => readonly Upload[];
  /** Sends photos, and reports what becomes of each. It rejects if the service refuses the request as a whole. */
  readonly send: (unit: UploadUnit, report: ReportUpload, signal: AbortSignal) => Promise<void>;
  /**
   * The seconds after which a failed request is sent again; null for a failure that a person has to look at. Failures of
   * the first kind stop the queue until then, because the next request would meet the same one.
   */
  readonly retryAfter: (error: unknown) => number | null;
  /** Whether a failure of a request with many photos may be due to a few of them. */
  readonly mayBeOfSome: (error: unknown) => boolean;
  readonly createKey?: () => string;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** How many requests are on their way at a time. Each of those with many photos is followed until its job ends. */
const SINGLES_IN_FLIGHT = 3;
const BATCHES_IN_FLIGHT = 2;

/** The numbers of photos by what became of them. */
export interface UploadProgress {
  readonly total: number;
  readonly stored: number;
  readonly failed: number;
  /** How many photos are not stored and have not failed. */
  readonly left: number;
  readonly isPaused: boolean;
}

/** Sends photos to the service, a few at a time, and goes on whatever happens to single ones. */
export class UploadQueue {
  readonly #options: UploadQueueOptions;
  readonly #listeners = new Set<() => void>();
  #uploads: readonly Upload[] = [];
  #progress: UploadProgress = { total: 0, stored: 0, failed: 0, left: 0, isPaused: false };
  #nextId = 1;
  #inFlight = 0;
  #isPaused = false;
  #isResting = false;
  /** The units that are sent again once the service can answer. */
  #again: readonly UploadUnit[] = [];
  #ended = new AbortController();

  constructor(options: UploadQueueOptions) {
    this.#options = options;
  }

  get uploads(): readonly Upload[] {
    return this.#uploads;
  }

  get progress(): UploadProgress {
    return this.#progress;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(sources: readonly UploadSource[], choices: UploadChoices): void {
    const added = sources.map((source) => ({
      id: this.#nextId++,
      source,
      choices,
      key: this.#createKey(),
      state: { name: 'waiting' } as const,
      isAlone: false,
    }));
    this.#set([...this.#uploads, ...added]);
    this.#fill();
  }

  pause(): void {
    this.#isPaused = true;
    this.#set(this.#uploads);
  }

  resume(): void {
    this.#isPaused = false;
    this.#set(this.#uploads);
    this.#fill();
  }

  /** Sends the failed photos again. */
  retryFailed(): void {
    this.#change(
      this.#uploads.filter(({ state }) => state.name === 'failed'),
      { state: { name: 'waiting' } },
    );
    this.#fill();
  }

  /** Forgets the photos that are stored, or those that have failed. */
  remove(ended: 'stored' | 'failed'): void {
    this.#set(this.#uploads.filter(({ state }) => state.name !== ended));
  }

  /** Ends all requests, and forgets all photos. */
  end(): void {
    this.#ended.abort();
    this.#ended = new AbortController();
    this.#again = [];
    this.#set([]);
  }

  #createKey(): string {
    return this.#options.createKey?.() ?? randomId();
  }

  #fill(): void {
    while (!this.#isPaused && !this.#isResting) {
      const unit = this.#nextUnit();
      if (unit === null) return;
      this.#inFlight++;
      void this.#send(unit).finally(() => {
        this.#inFlight--;
        this.#fill();
      });
    }
  }

  /** Takes the next unit; null if there is none, or enough are on their way. */
  #nextUnit(): UploadUnit | null {
    if (this.#inFlight >= SINGLES_IN_FLIGHT) return null;
    const [repeated, ...others] = this.#again;
    if (repeated !== undefined) {
      this.#again = others;
      return repeated;
    }
    const waiting = this.#uploads.filter(({ state }) => state.name === 'waiting');
    const uploads = this.#options.plan(waiting);
    if (uploads.length === 0) return null;
    if (uploads.length === 1) return { key: uploads[0]!.key, uploads };
    return this.#inFlight < BATCHES_IN_FLIGHT ? { key: this.#createKey(), uploads } : null;
  }

  async #send(unit: UploadUnit): Promise<void> {
    const { send, retryAfter } = this.#options;
    const { signal } = this.#ended;
    const open = new Map(unit.uploads.map((upload) => [upload.id, upload]));
    this.#change(unit.uploads, { state: { name: 'sending' } });
    const report: ReportUpload = (upload, state) => {
      if (signal.aborted) return;
      if (state.name === 'stored' || state.name === 'failed') open.delete(upload.id);
      this.#change([upload], { state });
    };
    try {
      await send(unit, report, signal);
    } catch (error) {
      if (signal.aborted) return;
      const seconds = retryAfter(error);
      if (seconds === null) this.#fail([...open.values()], error as Error);
      else await this.#sendLater(unit, seconds);
    }
  }

  /** A request with many photos that was refused is divided, so that those that it was not about are stored. */
  #fail(uploads: readonly Upload[], error: Error): void {
    if (uploads.length > 1 && this.#options.mayBeOfSome(error)) {
      this.#change(uploads, { state: { name: 'waiting' }, isAlone: true });
    } else this.#change(uploads, { state: { name: 'failed', error } });
  }

  async #sendLater(unit: UploadUnit, seconds: number): Promise<void> {
    const { wait = sleep } = this.#options;
    // They keep the state of those on their way, so that no other request takes them.
    this.#again = [...this.#again, unit];
    if (this.#isResting) return;
    this.#isResting = true;
    await wait(seconds * 1000, this.#ended.signal);
    this.#isResting = false;
  }

  #change(uploads: readonly Upload[], changed: Partial<Pick<Upload, 'state' | 'isAlone'>>): void {
    const ids = new Set(uploads.map(({ id }) => id));
    this.#set(this.#uploads.map((each) => (ids.has(each.id) ? { ...each, ...changed } : each)));
  }

  #set(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    const counts = { stored: 0, failed: 0 };
    for (const { state } of uploads) {
      if (state.name === 'stored' || state.name === 'failed') counts[state.name]++;
    }
    const { stored, failed } = counts;
    const total = uploads.length;
    const left = total - stored - failed;
    this.#progress = { total, stored, failed, left, isPaused: this.#isPaused };
    for (const listener of this.#listeners) listener();
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
