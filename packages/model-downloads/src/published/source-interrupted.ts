import type { FetchFailureOptions } from '@sightline/core/models/model-source';
import { SourceFailed } from '../source-failed.ts';

export interface Interruption extends Partial<FetchFailureOptions> {
  /** The pause that the source requests, in ms; absent if it requests none. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the bytes received so far are useless, because the file has changed. */
  readonly isChanged?: boolean;
}

/** A source failed temporarily. The next try may resume where this try ended. */
export class SourceInterrupted extends SourceFailed {
  readonly retryAfterMs: number | undefined;
  readonly isChanged: boolean;

  constructor(message: string, { retryAfterMs, isChanged = false, ...rest }: Interruption = {}) {
    super(message, rest);
    this.retryAfterMs = retryAfterMs;
    this.isChanged = isChanged;
  }
}
