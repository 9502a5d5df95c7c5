import { zipArchiveReaderIn } from '@sightline/archive-zip/reading/open-archive';
import { importArchiveContract } from '@sightline/contracts/transfer/import-archive-contract';
import { tenantOf } from '@sightline/core/analysis/tenant';
import { loadSettings } from '@sightline/core/database/load-settings';
import { IMPORT_BYTES, importArchive } from '@sightline/core/transfer/import-archive';
import { startImport } from '@sightline/core/transfer/start-import';
import { presentImportCounts } from '@sightline/presentation/present-import-counts';
import { type BodyShare, tooManyImports } from '@sightline/platform/http/body-memory';
import { HttpError } from '@sightline/platform/http/http-errors';
import type { UploadedFile } from '@sightline/platform/http/read-multipart';
import { answerWithJob } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';

const HOUR_MS = 3_600_000;
const MIB = 1024 ** 2;

export const importArchiveRoute = defineRoute(importArchiveContract, {
  upload: {
    files: 'archive',
    maxFiles: 2,
    maxFieldBytes: 1024,
    timeoutMs: 6 * HOUR_MS,
    maxFileBytes: async ({ database }, scope, signal) =>
      (await loadSettings(database, scope, signal)).importMaxBytes,
  },
  createsJob: (query) => query.async === true,
  async handler(context, request) {
    const { query, body, caller, scope, signal } = request;
    const file = onlyFile(body.files);
    const { database, media, modelStore } = context;
    using memory = context.bodies.memory.open(tenantOf(caller));
    const reserve = (bytes: number): void => take(memory, bytes);
    reserve(IMPORT_BYTES);
    const deps = { database, media, modelStore, archives: zipArchiveReaderIn(reserve) };
    if (query.async === true) {
      const settle = request.settle(answerWithJob);
      return answerWithJob(await startImport(deps, { scope, file }, { signal, settle }));
    }
    const answer = (counts: Parameters<typeof presentImportCounts>[0]) =>
      ({ status: 200, body: presentImportCounts(counts) }) as const;
    return answer(
      await importArchive(deps, { scope, file }, { signal, settle: request.settle(answer) }),
    );
  },
});

/**
 * Takes memory in steps of 1 MiB, so that a caller exceeds its share of the memory by less than that.
 *
 * @throws HttpError overloaded
 */
function take(memory: BodyShare, bytes: number): void {
  for (let left = bytes; left > 0; left -= MIB) {
    if (!memory.add(Math.min(left, MIB))) throw tooManyImports();
  }
}

/** @throws HttpError invalid_request */
function onlyFile(files: readonly UploadedFile[]) {
  const [file, ...others] = files;
  if (file?.field === 'file' && others.length === 0) {
    return { size: file.size, read: file.readPart.bind(file) };
  }
  const fields = files.map(({ field }) => field.slice(0, 50));
  const given = fields.length === 0 ? 'none was given' : `given were: ${fields.join(', ')}`;
  const message = `one file in this field is expected; ${given}`;
  throw new HttpError('invalid_request', `file: ${message}.`, {
    errors: [{ path: 'file', message }],
  });
}
