import type { NamedModels } from '@sightline/core/models/analyzer-status';
import { revisionsOf } from './desired-set.ts';

export class ModelRequests {
  readonly #at = new Map<string, number>();

  note(models: NamedModels): void {
    const now = performance.now();
    for (const revision of revisionsOf(models)) this.#at.set(revision, now);
  }

  /** Returns the seconds since the last request for the model, or null if there was none. */
  secondsSince(revision: string): number | null {
    const at = this.#at.get(revision);
    return at === undefined ? null : Math.round(performance.now() - at) / 1000;
  }
}
