import { zipArchiveReader } from '@sightline/archive-zip/reading/open-archive';
import { importArchiveContract } from '@sightline/contracts/transfer/import-archive-contract';
import { loadSettings } from '@sightline/core/database/load-settings';
import { importArchive } from '@sightline/core/transfer/import-archive';
import { startImport } from '@sightline/core/transfer/start-import';
import { presentImportCounts } from '@sightline/presentation/present-import-counts';
import { HttpError } from '@sightline/platform/http/http-errors';
import type { UploadedFile } from '@sightline/platform/http/read-multipart';
import { answerWithJob } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';

const HOUR_MS = 3_600_000;

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
    const { query, body, scope, signal } = request;
    const file = onlyFile(body.files);
    const { database, media, modelStore } = context;
    const deps = { database, media, modelStore, archives: zipArchiveReader };
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
