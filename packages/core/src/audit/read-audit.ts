import type { Scope } from '../store/scope.ts';
import { SERVICE } from '../store/actor.ts';
import type { AuditedRead, AuditEntry } from './audit-entry.ts';
import type { AuditLog } from './audit-log.ts';

/** How long entries of reads wait for others, in ms. */
const BATCH_MS = 1000;
/** The most entries of one write. */
const BATCH = 500;
/** The most entries that wait. While the database is unavailable, requests that read are refused anyway. */
const MOST_WAITING = 20_000;

export interface ReadAuditEvents {
  /** Entries could not be recorded. */
  readonly lost: (entries: number, error: unknown) => void;
}

/**
 * Records actions that change nothing. The entries are written in batches beside their requests, so that these do not
 * wait. A process that dies loses the entries of its last second.
 */
export class ReadAudit implements AsyncDisposable {
  readonly #log: Pick<AuditLog, 'record'>;
  readonly #events: ReadAuditEvents;
  #waiting: AuditedRead[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(log: Pick<AuditLog, 'record'>, events: ReadAuditEvents) {
    this.#log = log;
    this.#events = events;
  }

  note({ environmentId, actor = SERVICE }: Scope, entry: AuditEntry): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#events.lost(1, new Error('Too many entries wait.'));
      return;
    }
    this.#waiting.push({ environmentId, actor, at: new Date(), entry });
    this.#timer ??= setTimeout(() => void this.#flush(), BATCH_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#flush();
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#waiting;
    this.#waiting = [];
    this.#writing = this.#writing.then(() => this.#write(entries));
    return this.#writing;
  }

  async #write(entries: readonly AuditedRead[]): Promise<void> {
    for (let from = 0; from < entries.length; from += BATCH) {
      const batch = entries.slice(from, from + BATCH);
      await this.#log
        .record(batch)
        .catch((error: unknown) => this.#events.lost(batch.length, error));
    }
  }
}
