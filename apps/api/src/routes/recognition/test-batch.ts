import {
  type BatchTestResult,
  MAX_BATCH_IMAGES,
  testBatchContract,
} from '@sightline/contracts/recognition/test-batch-contract';
import { type DetectionTypes, testImage } from '@sightline/core/recognition/test-image';
import { DomainError } from '@sightline/core/domain-error';
import type { Scope } from '@sightline/core/store/scope';
import { HttpError } from '@sightline/platform/http/http-errors';
import type { UploadedFile } from '@sightline/platform/http/read-multipart';
import type { z } from 'zod';
import type { ApiContext } from '../../api-context.ts';
import { defineRoute } from '../../http/define-route.ts';
import { mapConcurrently } from '../../images/map-concurrently.ts';
import { readUpload } from '../../images/read-image-source.ts';
import { waitOutOverload } from '../../images/wait-out-overload.ts';
import { presentImageTest } from './present-image-test.ts';

const HOUR_MS = 3_600_000;

export const testBatchRoute = defineRoute(testBatchContract, {
  upload: {
    files: 'disk',
    // More than are ever right, so that too many images are told as that.
    maxFiles: 10 * MAX_BATCH_IMAGES,
    maxFieldBytes: 1024,
    timeoutMs: HOUR_MS,
  },
  async handler(context, { query, body, scope, signal }) {
    const type = body.fields.type ?? query.type ?? 'all';
    const files = body.files.filter(({ field }) => field === 'file');
    requireBatch(files.length);
    const results = await mapConcurrently(files, context.batchConcurrency, (file, index) =>
      testFile(context, { scope, file, index, types: type }, signal),
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
}

/** What is wrong with one image becomes its result; an abort and defects end the batch. */
async function testFile(
  context: ApiContext,
  { scope, file, index, types }: BatchItem,
  signal: AbortSignal,
): Promise<z.input<typeof BatchTestResult>> {
  const item = { index, filename: file.filename === '' ? null : file.filename };
  try {
    const found = await waitOutOverload(async () => {
      signal.throwIfAborted();
      // Read anew for each attempt: what was handed to inference is gone.
      const image = await readUpload(file, context.imageLimits);
      return testImage(context, { scope, image, types }, signal);
    }, signal);
    return { ...item, ...presentImageTest(found) };
  } catch (error) {
    if (error instanceof DomainError) return { ...item, error: error.message };
    throw error;
  }
}
