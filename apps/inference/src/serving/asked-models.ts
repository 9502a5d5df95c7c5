import type { NamedModels } from '@sightline/core/models/analyzer-status';

/** When requests last named each model. */
export class AskedModels {
  readonly #at = new Map<string, number>();

  note({ face, object }: NamedModels): void {
    const now = performance.now();
    for (const revision of [face, object]) {
      if (revision !== undefined) this.#at.set(revision, now);
    }
  }

  /** In seconds; null: none did. */
  secondsSince(revision: string): number | null {
    const at = this.#at.get(revision);
    return at === undefined ? null : Math.round(performance.now() - at) / 1000;
  }
}
