import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { HttpError } from '@sightline/platform/http/http-errors';

/**
 * Runs a step that writes to the spool. If the spool is full, the error lets the job wait and retry.
 *
 * @throws StoreUnavailable if the spool or its disk has no room; the errors of the step
 */
export async function inSpool<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new StoreUnavailable(
      'The disk for the temporary files of archives is full.',
      {},
      { cause: error },
    );
  }
}
