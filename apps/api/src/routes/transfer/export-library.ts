import { writeLibrary } from '@sightline/archive-zip/write-library';
import { exportLibraryContract } from '@sightline/contracts/transfer/export-library-contract';
import { tenantOf } from '@sightline/core/analysis/tenant';
import type { Caller } from '@sightline/core/access/caller';
import type { ExportRequest } from '@sightline/core/transfer/export-library';
import { startExport } from '@sightline/core/transfer/start-export';
import { tooManyExports } from '@sightline/platform/http/body-memory';
import type { ApiContext } from '../../context/api-context.ts';
import { answerWithJob } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';

/** The memory in bytes that an export uses, for images that are read ahead and for a page of records. */
const EXPORT_BYTES = 16 * 1024 ** 2;

export const exportLibraryRoute = defineRoute(exportLibraryContract, {
  async handler(context, request) {
    const { query, body, caller, scope, signal } = request;
    const exported = { scope, identityIds: body.fields.identity_ids ?? null };
    if (query.async === true) {
      const settle = request.settle(answerWithJob);
      return answerWithJob(await startExport(context, exported, { signal, settle }));
    }
    const createdAt = new Date();
    const name = `sightline-${createdAt.toISOString().slice(0, 10)}.zip`;
    return {
      status: 200,
      body: ReadableStream.from(archiveOf(context, { ...exported, caller, createdAt }, signal)),
      headers: { 'Content-Disposition': `attachment; filename="${name}"` },
    };
  },
});

interface Export extends ExportRequest {
  readonly caller: Caller;
  readonly createdAt: Date;
}

/**
 * Yields the bytes of an archive as fast as the client reads them. Each read waits for its turn among the long reads of
 * the environment. The memory of the export counts against the caller's share.
 *
 * @throws HttpError overloaded; StoreUnavailable
 */
async function* archiveOf(
  { database, media, bodies, parts, logger, version }: ApiContext,
  { caller, ...request }: Export,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  using memory = bodies.memory.open(tenantOf(caller));
  if (!memory.add(EXPORT_BYTES)) throw tooManyExports();
  const ids = request.identityIds ?? [];
  await database.withEntities(
    { ...request.scope, locks: [] },
    (tx) => tx.audit({ entity: 'library', action: 'export', ids }),
    signal,
  );
  const inTurn: Pick<ApiContext['database'], 'withScope'> = {
    withScope: (scope, read) =>
      parts.run(scope, () => database.withScope(scope, read, signal), signal),
  };
  yield* writeLibrary({ database: inTurn, media, logger, version }, request, signal);
}
