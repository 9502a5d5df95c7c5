import type { KubeClient } from '@sightline/kube/kube-client';
import { pause } from '@sightline/kube/pause';
import type { Logger } from '@sightline/platform/logging/logger';
import type { Clock } from '@sightline/platform/resilience/clock';
import { missingRights, nameOfRight, type Right } from './rights.ts';

/** The interval in ms between checks while rights are missing or unknown. */
const MISSING_MS = 10_000;
/** The interval in ms between checks while no right is missing. */
const COMPLETE_MS = 600_000;

export interface RightsCheckOptions {
  readonly client: Pick<KubeClient, 'create'>;
  readonly needed: readonly Right[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Checks repeatedly whether the process has its rights, and logs the missing ones by name. */
export class RightsCheck {
  readonly #options: RightsCheckOptions;
  #missing: readonly string[] | null = null;

  constructor(options: RightsCheckOptions) {
    this.#options = options;
  }

  /** Whether the last check found no missing right. */
  get isComplete(): boolean {
    return this.#missing?.length === 0;
  }

  /** Checks until the signal aborts. @throws the signal's reason */
  async run(signal: AbortSignal): Promise<never> {
    for (;;) {
      await this.#check(signal);
      await pause(this.#options.clock, this.isComplete ? COMPLETE_MS : MISSING_MS, signal);
    }
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { client, needed, logger } = this.#options;
    try {
      this.#note((await missingRights(client, needed, signal)).map(nameOfRight));
    } catch (error) {
      signal.throwIfAborted();
      // The previous result stays: an API server that does not respond has not taken rights away.
      logger.warn({ err: error }, 'the rights of this replica could not be checked');
    }
  }

  #note(missing: readonly string[]): void {
    const isNew = missing.join() !== (this.#missing ?? []).join();
    this.#missing = missing;
    if (!isNew) return;
    const { logger } = this.#options;
    if (missing.length === 0) logger.info('this replica has all rights');
    else logger.error({ missing }, `this replica is not ready: it may not ${missing.join(', ')}`);
  }
}
