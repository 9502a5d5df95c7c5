/** A file on its way to the service. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  /** The key that makes a repeated request harmless. */
  readonly key: string;
  readonly state: UploadState;
}

export type UploadState =
  | { readonly name: 'waiting' }
  | { readonly name: 'sending' }
  | { readonly name: 'stored'; readonly stored: StoredPhoto }
  | { readonly name: 'failed'; readonly error: Error };

export interface StoredPhoto {
  readonly imageId: number;
  readonly faces: number;
  readonly objects: number;
  /** Whether the service had the photo already. */
  readonly isKnown: boolean;
}

export interface UploadQueueOptions {
  /** Sends a file, and rejects if the service refuses it. */
  readonly send: (upload: Upload, signal: AbortSignal) => Promise<StoredPhoto>;
  /**
   * The seconds after which a failed request is sent again; null for a failure that a person has to look at. Failures of
   * the first kind stop the queue until then, because the next file would meet the same one.
   */
  readonly retryAfter: (error: unknown) => number | null;
  readonly createKey?: () => string;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const IN_FLIGHT = 3;

/** The numbers of files by what became of them. */
export interface UploadProgress {
  readonly total: number;
  readonly stored: number;
  readonly failed: number;
  readonly isPaused: boolean;
  readonly isRunning: boolean;
}

/** Sends files to the service, a few at a time, and goes on whatever happens to single ones. */
export class UploadQueue {
  readonly #options: UploadQueueOptions;
  readonly #listeners = new Set<() => void>();
  #uploads: readonly Upload[] = [];
  #progress: UploadProgress = { total: 0, stored: 0, failed: 0, isPaused: false, isRunning: false };
  #nextId = 1;
  #inFlight = 0;
  #isPaused = false;
  #isWaiting = false;
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

  add(files: readonly File[]): void {
    const { createKey = () => crypto.randomUUID() } = this.#options;
    const added = files.map((file) => ({
      id: this.#nextId++,
      file,
      key: createKey(),
      state: { name: 'waiting' } as const,
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

  /** Sends the failed files again. */
  retryFailed(): void {
    const isFailed = ({ state }: Upload) => state.name === 'failed';
    this.#set(
      this.#uploads.map((each) =>
        isFailed(each) ? { ...each, state: { name: 'waiting' } } : each,
      ),
    );
    this.#fill();
  }

  /** Forgets the files that are stored. */
  removeStored(): void {
    this.#set(this.#uploads.filter(({ state }) => state.name !== 'stored'));
  }

  /** Ends all requests, and forgets all files. */
  end(): void {
    this.#ended.abort();
    this.#ended = new AbortController();
    this.#set([]);
  }

  #fill(): void {
    while (this.#inFlight < IN_FLIGHT && !this.#isPaused && !this.#isWaiting) {
      const next = this.#uploads.find(({ state }) => state.name === 'waiting');
      if (next === undefined) return;
      this.#inFlight++;
      void this.#send(next).finally(() => {
        this.#inFlight--;
        this.#set(this.#uploads);
        this.#fill();
      });
    }
  }

  async #send(upload: Upload): Promise<void> {
    const { send, retryAfter } = this.#options;
    const { signal } = this.#ended;
    this.#change(upload.id, { name: 'sending' });
    try {
      const stored = await send(upload, signal);
      this.#change(upload.id, { name: 'stored', stored });
    } catch (error) {
      const seconds = retryAfter(error);
      if (signal.aborted) return;
      if (seconds === null) {
        this.#change(upload.id, { name: 'failed', error: error as Error });
        return;
      }
      this.#change(upload.id, { name: 'waiting' });
      await this.#rest(seconds);
    }
  }

  async #rest(seconds: number): Promise<void> {
    const { wait = sleep } = this.#options;
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    await wait(seconds * 1000, this.#ended.signal);
    this.#isWaiting = false;
  }

  #change(id: number, state: UploadState): void {
    this.#set(this.#uploads.map((each) => (each.id === id ? { ...each, state } : each)));
  }

  #set(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    const count = (name: UploadState['name']) =>
      uploads.filter(({ state }) => state.name === name).length;
    this.#progress = {
      total: uploads.length,
      stored: count('stored'),
      failed: count('failed'),
      isPaused: this.#isPaused,
      isRunning: count('waiting') + count('sending') > 0,
    };
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
