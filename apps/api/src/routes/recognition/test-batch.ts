import {
  type BatchTestResult,
  MAX_BATCH_IMAGES,
  testBatchContract,
} from '@sightline/contracts/recognition/test-batch-contract';
import { DomainError } from '@sightline/core/domain-error';
import type { DetectionTypes } from '@sightline/core/detection-type';
import { testImage } from '@sightline/core/recognition/test-image';
import type { Scope } from '@sightline/core/store/scope';
import { HttpError } from '@sightline/platform/http/http-errors';
import type { UploadedFile } from '@sightline/platform/http/read-multipart';
import type { z } from 'zod';
import type { ApiContext } from '../../api-context.ts';
import { defineRoute } from '../../http/define-route.ts';
import { FailureLog } from '../../images/failure-log.ts';
import { mapConcurrently } from '../../images/map-concurrently.ts';
import { readUpload } from '../../images/read-image-source.ts';
import { waitOutOverload } from '../../images/wait-out-overload.ts';
import { presentImageTest } from './present-image-test.ts';

const HOUR_MS = 3_600_000;

export const testBatchRoute = defineRoute(testBatchContract, {
  upload: {
    files: 'disk',
    // More than a valid request has, so that too many images get that error, not too_many_parts.
    maxFiles: 10 * MAX_BATCH_IMAGES,
    maxFieldBytes: 1024,
    timeoutMs: HOUR_MS,
  },
  async handler(context, { query, body, scope, signal }) {
    const type = body.fields.type ?? query.type ?? 'all';
    const files = body.files.filter(({ field }) => field === 'file');
    requireBatch(files.length);
    const failures = new FailureLog(context.logger);
    const results = await mapConcurrently(files, context.batchConcurrency, (file, index) =>
      testFile(context, { scope, file, index, types: type, failures }, signal),
    );
    return { status: 200, body: { total: files.length, type, results } };
  },
});

function requireBatch(count: number): void {
  if (count >= 1 && count <= MAX_BATCH_IMAGES) return;
  const message = `between 1 and ${MAX_BATCH_IMAGES} files are expected, ${count} were given`;
  throw new HttpError('invalid_request', `file: ${message}.`, {
    errors: [{ path: 'file', message }],
  });
}

interface BatchItem {
  readonly scope: Scope;
  readonly file: UploadedFile;
  readonly index: number;
  readonly types: DetectionTypes;
  readonly failures: FailureLog;
}

/** A domain error of one image becomes its result; an abort or a defect ends the batch. */
async function testFile(
  context: ApiContext,
  { scope, file, index, types, failures }: BatchItem,
  signal: AbortSignal,
): Promise<z.input<typeof BatchTestResult>> {
  const item = { index, filename: file.filename === '' ? null : file.filename };
  try {
    const found = await waitOutOverload(async () => {
      signal.throwIfAborted();
      // Read it again for each attempt: the buffer was transferred to inference.
      const image = await readUpload(file, context.imageLimits);
      return testImage(context, { scope, image, types }, signal);
    }, signal);
    return { ...item, ...presentImageTest(found) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    failures.note(error);
    return { ...item, error: error.message };
  }
}
