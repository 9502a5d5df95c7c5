import type { DownloadWriter, ListedModelReader } from '@sightline/core/models/catalog-store';
import { eq } from '../../drizzle.ts';
import { models } from '../../schema/models.ts';
import { listedModels } from './catalog-rows.ts';
import { statusAfter } from './model-status.ts';
import type { ReadContext } from '../database/store-context.ts';
import { takePage } from '../database/take-page.ts';

export function listedModelReader(context: ReadContext): ListedModelReader {
  return {
    async list({ after, limit }) {
      const rows = await listedModels(
        context.session,
        'm.id > coalesce($1::bigint, 0) ORDER BY m.id LIMIT $2',
        [after, limit + 1],
      );
      return takePage(rows, limit);
    },

    async byId(id) {
      const [model] = await listedModels(context.session, 'm.id = $1', [id]);
      return model ?? null;
    },
  };
}

export function downloadWriter(context: ReadContext): ListedModelReader & DownloadWriter {
  return {
    ...listedModelReader(context),
    async lock(id) {
      const [model] = await listedModels(context.session, 'm.id = $1 FOR NO KEY UPDATE OF m', [id]);
      return model ?? null;
    },

    async beginDownload(id, jobId) {
      const [begun] = await context.session.db
        .update(models)
        .set({ status: statusAfter('download'), error: null, downloadJobId: jobId })
        .where(eq(models.id, id))
        .returning({ status: models.status });
      if (begun?.status !== 'downloading') throw new Error(`Model ${id} cannot be downloaded.`);
    },
  };
}
