import { mapConcurrently } from '@sightline/core/concurrency/map-concurrently';
import { DomainError } from '@sightline/core/domain-error';
import type { ApiContext } from '../context/api-context.ts';
import { FailureLog } from './failure-log.ts';

interface BatchSteps<Item, Done, Failed> {
  readonly work: (item: Item, index: number) => Promise<Done>;
  /** Returns the result of an item with this error, or null if the error fails the whole batch. */
  readonly failed: (item: Item, error: DomainError, index: number) => Failed | null;
}

/**
 * Works through a batch, several items at a time. The results are in the order of the items.
 *
 * @throws the first error that fails the whole batch, after all started items have ended
 */
export function runBatch<Item, Done, Failed>(
  { batchConcurrency, logger }: Pick<ApiContext, 'batchConcurrency' | 'logger'>,
  items: readonly Item[],
  { work, failed }: BatchSteps<Item, Done, Failed>,
): Promise<(Done | Failed)[]> {
  const failures = new FailureLog(logger);
  return mapConcurrently(items, batchConcurrency, async (item, index) => {
    try {
      return await work(item, index);
    } catch (error) {
      const result = error instanceof DomainError ? failed(item, error, index) : null;
      if (result === null) throw error;
      failures.note(error);
      return result;
    }
  });
}
