import { expect, test } from '@jest/globals';
import { canRetry } from './job.ts';

test.each([
  [{ type: 'bulk_detect', status: 'done', failed: 2 }, true],
  [{ type: 'import', status: 'failed', failed: 0 }, true],
  [{ type: 'bulk_detect', status: 'done', failed: 0 }, false],
  [{ type: 'bulk_detect', status: 'running', failed: 2 }, false],
  [{ type: 'undo', status: 'failed', failed: 1 }, false],
] as const)('%j can be retried: %s', (job, expected) => expect(canRetry(job)).toBe(expected));
