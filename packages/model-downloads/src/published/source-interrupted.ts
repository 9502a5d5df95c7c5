import type { FetchFailureOptions } from '@sightline/core/models/model-source';
import { SourceFailed } from '../source-failed.ts';

export interface Interruption extends Partial<FetchFailureOptions> {
  /** How long the source wants to be left alone, in ms; absent: it does not say. */
  readonly retryAfterMs?: number | undefined;
  /** Whether what was received so far is of no use. */
  readonly isChanged?: boolean;
}

/** A source failed in a way that may pass: the next try may go on where this one ended. */
export class SourceInterrupted extends SourceFailed {
  readonly retryAfterMs: number | undefined;
  readonly isChanged: boolean;

  constructor(message: string, { retryAfterMs, isChanged = false, ...rest }: Interruption = {}) {
    super(message, rest);
    this.retryAfterMs = retryAfterMs;
    this.isChanged = isChanged;
  }
}
