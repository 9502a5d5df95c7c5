import type { Detection } from '@sightline/core/detections/detection';
import type {
  FaceLists,
  GalleryFace,
  Mismatch,
  MismatchPosition,
  MismatchRule,
  QueuedFace,
  QueueFilter,
  QueueOrder,
  QueuePosition,
  TimePosition,
} from '@sightline/core/detections/face-lists';
import type { Buckets } from '@sightline/core/store/buckets';
import type { Page } from '@sightline/core/store/page';
import { and, desc, eq, isNull, sql } from '../../drizzle.ts';
import { detections } from '../../schema/detections.ts';
import { columnsWithout } from '../database/columns-without.ts';
import { toDetection } from './detection-rows.ts';
import { galleryQuery, REJECTED_FACES } from './face-list-queries.ts';
import { countMismatches, mismatchPage } from './mismatch-queries.ts';
import { type ListedRow, readQueuedFaces, toListed } from './queued-faces.ts';
import { ANY_LEAVING, countSuggested, needsSuggestion, queueParts } from './review-queue.ts';
import { readBuckets } from '../database/read-buckets.ts';
import { galleryRows, UNKNOWN_ROWS } from './rows-by-time.ts';
import { readPositions } from '../database/listed-rows.ts';
import { readTotals } from '../statistics/statistics.ts';
import type { ReadContext } from '../database/store-context.ts';
import { takePage } from '../database/take-page.ts';

interface GalleryRow extends ListedRow {
  readonly sourceExternalRef: string | null;
}

interface MismatchRow extends ListedRow {
  readonly identityId: number;
  readonly label: string;
  readonly similarity: number;
}

export class PostgresFaceLists implements FaceLists {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async reviewQueue(
    filter: QueueFilter,
    { order, after, limit }: Parameters<FaceLists['reviewQueue']>[1],
  ): Promise<Page<QueuedFace>> {
    const { session } = this.#context;
    const [leaving] = await session.query<{ any: boolean }>(ANY_LEAVING);
    const { items: listed, hasMore } = await readPositions(
      session,
      queueParts(filter, order, !leaving!.any),
      {
        after,
        limit,
      },
    );
    const items = await readQueuedFaces(session, filter.rule, listed as readonly QueuePosition[]);
    return { items, hasMore };
  }

  async countReviewQueue(filter: QueueFilter): Promise<number> {
    const { session } = this.#context;
    if (!needsSuggestion(filter))
      return (await readTotals(session, ['pendingReview'])).pendingReview;
    const { rule } = filter;
    if (rule === null) return 0;
    const { text, values } = countSuggested({ ...filter, rule });
    const [row] = await session.query<{ count: number }>(text, values);
    return row!.count;
  }

  async queueBuckets(
    filter: QueueFilter,
    order: QueueOrder,
  ): Promise<Buckets<QueuePosition['value']>> {
    const { session } = this.#context;
    const [leaving] = await session.query<{ any: boolean }>(ANY_LEAVING);
    const parts = queueParts(filter, order, !leaving!.any);
    return (await readBuckets(session, parts)) as Buckets<QueuePosition['value']>;
  }

  async unknownBuckets(): Promise<Buckets<Date>> {
    return (await readBuckets(this.#context.session, [UNKNOWN_ROWS])) as Buckets<Date>;
  }

  async galleryBuckets(id: number, order: 'newest' | 'oldest'): Promise<Buckets<Date>> {
    return (await readBuckets(this.#context.session, [galleryRows(id, order)])) as Buckets<Date>;
  }

  async unknown({
    after,
    limit,
  }: {
    readonly after: TimePosition | null;
    readonly limit: number;
  }): Promise<Page<Detection>> {
    const follows =
      after &&
      sql`(${detections.detectedAt}, ${detections.id}) < (${after.detectedAt.toISOString()}, ${after.id})`;
    const rows = await this.#context.session.db
      .select(columnsWithout(detections, 'environmentId', 'cropBytes', 'queuedAt'))
      .from(detections)
      .where(and(eq(detections.type, 'face'), isNull(detections.identityId), follows ?? undefined))
      .orderBy(desc(detections.detectedAt), desc(detections.id))
      .limit(limit + 1);
    const { items, hasMore } = takePage(rows, limit);
    return { items: items.map((row) => toDetection({ ...row, label: null })), hasMore };
  }

  async gallery(
    identityId: number,
    order: 'newest' | 'oldest',
    { after, limit }: { readonly after: TimePosition | null; readonly limit: number },
  ): Promise<Page<GalleryFace>> {
    const start = order === 'newest' ? 'infinity' : '-infinity';
    const rows = await this.#context.session.query<GalleryRow>(galleryQuery(order), [
      identityId,
      after?.detectedAt ?? start,
      after?.id ?? 0,
      limit + 1,
    ]);
    return toGalleryPage(rows, limit);
  }

  async rejected(
    identityId: number,
    { after, limit }: { readonly after: TimePosition | null; readonly limit: number },
  ): Promise<Page<GalleryFace>> {
    const rows = await this.#context.session.query<GalleryRow>(REJECTED_FACES, [
      identityId,
      after?.detectedAt ?? 'infinity',
      after?.id ?? 0,
      limit + 1,
    ]);
    return toGalleryPage(rows, limit);
  }

  async mismatches(
    rule: MismatchRule,
    { after, limit }: { readonly after: MismatchPosition | null; readonly limit: number },
  ): Promise<Page<Mismatch>> {
    const from = after ?? { similarity: -Infinity, id: 0 };
    const { text, values } = mismatchPage(rule, from, limit + 1);
    const rows = await this.#context.session.query<MismatchRow>(text, values);
    const { items, hasMore } = takePage(rows, limit);
    return { items: items.map(toMismatch), hasMore };
  }

  async countMismatches(rule: MismatchRule): Promise<number> {
    const { text, values } = countMismatches(rule);
    const [row] = await this.#context.session.query<{ count: number }>(text, values);
    return row!.count;
  }
}

function toGalleryPage(rows: readonly GalleryRow[], limit: number): Page<GalleryFace> {
  const { items, hasMore } = takePage(rows, limit);
  const faces = items.map((row) => ({
    ...toListed(row),
    sourceExternalRef: row.sourceExternalRef,
  }));
  return { items: faces, hasMore };
}

function toMismatch(row: MismatchRow): Mismatch {
  const { identityId, label, similarity } = row;
  return { ...toListed(row), identity: { id: identityId, label }, similarity };
}
