import { BulkResults } from '@sightline/contracts/jobs/bulk-results';
import type { BulkError, BulkTally } from '@sightline/core/curation/bulk/bulk-tally';
import type { z } from 'zod';

/** The counters and failures of a job that acts on many detections, as its results show them. */
export function presentBulkTally({ progress, errors }: BulkTally): z.input<typeof BulkResults> {
  return {
    processed: progress.done,
    failed: progress.failed,
    errors: errors.map(({ id, error: { code, message } }) => ({
      detection_id: id,
      error: { code, detail: message },
    })),
  };
}

/** The failures in a result that {@link presentBulkTally} has stored; none if there is no result yet. */
export function readBulkErrors(result: unknown): readonly BulkError[] {
  const { data } = BulkResults.safeParse(result);
  return (data?.errors ?? []).map(({ detection_id: id, error: { code, detail } }) => ({
    id,
    error: { code, message: detail },
  }));
}
