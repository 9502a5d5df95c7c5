import { mapConcurrently } from '@sightline/core/analysis/map-concurrently';
import { DomainError } from '@sightline/core/domain-error';
import type { ApiContext } from '../context/api-context.ts';
import { FailureLog } from './failure-log.ts';

interface BatchSteps<Item, Done, Failed> {
  readonly work: (item: Item, index: number) => Promise<Done>;
  /** The result of an item that failed by itself; null: the error fails the batch. */
  readonly failed: (item: Item, error: DomainError, index: number) => Failed | null;
}

/**
 * Works through a batch, some items at a time; results are in the order of the items.
 *
 * @throws the first error that does not concern a single item, once all begun items have ended
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
