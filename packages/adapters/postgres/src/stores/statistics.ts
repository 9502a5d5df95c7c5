import type { Statistics, StatisticsReader } from '@sightline/core/statistics/statistics-store';
import type { ReadContext } from './store-context.ts';

export class PostgresStatisticsReader implements StatisticsReader {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async totals(): Promise<Statistics> {
    const rows = await this.#context.session.query<{ counter: string; total: number }>(
      `SELECT counter, sum(delta)::bigint AS total FROM counter_deltas
       WHERE subject_id = 0 GROUP BY counter`,
    );
    const totals = new Map(rows.map(({ counter, total }) => [counter, total]));
    const total = (counter: string): number => totals.get(counter) ?? 0;
    return {
      faceIdentities: total('face_identities'),
      objectIdentities: total('object_identities'),
      faceDetections: total('face_detections'),
      objectDetections: total('object_detections'),
      sourceImages: total('source_images'),
      pendingReview: total('pending_review'),
      storageBytes: total('storage_bytes'),
    };
  }
}
