import type { FetchFailureOptions, FetchFailureReason } from '@sightline/core/models/model-source';

/**
 * A source failed to provide the file. The message is a clause that follows the source's name. It
 * contains no addresses and no output of other programs, because those may contain credentials.
 */
export class SourceFailed extends Error {
  override readonly name = 'SourceFailed';
  readonly reason: FetchFailureReason;

  /** @param options the reason is `source_unreachable` if absent */
  constructor(
    message: string,
    { reason = 'source_unreachable', ...options }: Partial<FetchFailureOptions> = {},
  ) {
    super(message, options);
    this.reason = reason;
  }
}
