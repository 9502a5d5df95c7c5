import type { Detection } from '@sightline/core/detections/detection';
import type {
  FaceLists,
  GalleryFace,
  ListedFace,
  Mismatch,
  MismatchPosition,
  MismatchRule,
  QueuedFace,
  QueuePosition,
  SuggestionRule,
  TimePosition,
} from '@sightline/core/detections/face-lists';
import type { NamedCandidate } from '@sightline/core/identities/candidate';
import type { Suggestion } from '@sightline/core/references/gallery-store';
import type { Page } from '@sightline/core/store/page';
import { and, desc, eq, isNull, sql } from '../../drizzle.ts';
import { detections } from '../../schema/detections.ts';
import { columnsWithout } from '../database/columns-without.ts';
import { toDetection } from './detection-rows.ts';
import {
  COUNT_MISMATCHES,
  COUNT_SUGGESTED,
  galleryQuery,
  MISMATCHES,
  REJECTED_FACES,
  REVIEW_QUEUE,
  SUGGESTED_QUEUE,
  SUGGESTIONS,
} from './face-list-queries.ts';
import { readTotals } from '../statistics/statistics.ts';
import type { ReadContext } from '../database/store-context.ts';
import { takePage } from '../database/take-page.ts';

interface ListedRow extends Omit<ListedFace, 'bbox'> {
  readonly bboxX: number;
  readonly bboxY: number;
  readonly bboxW: number;
  readonly bboxH: number;
}

interface QueuedRow extends ListedRow {
  readonly sourceMediaKey: string;
  readonly identityId: number | null;
  readonly label: string | null;
}

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
    { rule, suggestedOnly }: Parameters<FaceLists['reviewQueue']>[0],
    { after, limit }: { readonly after: QueuePosition | null; readonly limit: number },
  ): Promise<Page<QueuedFace>> {
    if (suggestedOnly && rule === null) return { items: [], hasMore: false };
    const { confidence, id } = after ?? { confidence: Infinity, id: 0 };
    const page = [confidence, id, limit + 1];
    const { session } = this.#context;
    const rows = suggestedOnly
      ? await session.query<QueuedRow>(SUGGESTED_QUEUE, [...page, ...partsOf(rule!)])
      : await session.query<QueuedRow>(REVIEW_QUEUE, page);
    const { items, hasMore } = takePage(rows, limit);
    const suggestions = await this.#suggestions(rule, items);
    return { items: items.map((row) => toQueued(row, suggestions.get(row.id) ?? [])), hasMore };
  }

  async countReviewQueue(): Promise<number> {
    return (await readTotals(this.#context.session, ['pendingReview'])).pendingReview;
  }

  async countSuggested(rule: SuggestionRule): Promise<number> {
    const { session } = this.#context;
    const [row] = await session.query<{ count: number }>(COUNT_SUGGESTED, partsOf(rule));
    return row!.count;
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
      .select(columnsWithout(detections, 'environmentId', 'cropBytes'))
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
    { modelId, below }: MismatchRule,
    { after, limit }: { readonly after: MismatchPosition | null; readonly limit: number },
  ): Promise<Page<Mismatch>> {
    const { similarity, id } = after ?? { similarity: -Infinity, id: 0 };
    const rows = await this.#context.session.query<MismatchRow>(MISMATCHES, [
      modelId,
      below,
      similarity,
      id,
      limit + 1,
    ]);
    const { items, hasMore } = takePage(rows, limit);
    return { items: items.map(toMismatch), hasMore };
  }

  async countMismatches({ modelId, below }: MismatchRule): Promise<number> {
    const { session } = this.#context;
    const [row] = await session.query<{ count: number }>(COUNT_MISMATCHES, [modelId, below]);
    return row!.count;
  }

  async #suggestions(
    rule: SuggestionRule | null,
    faces: readonly { readonly id: number }[],
  ): Promise<ReadonlyMap<number, readonly NamedCandidate[]>> {
    if (rule === null || faces.length === 0) return new Map();
    const { session } = this.#context;
    const rows = await session.query<Suggestion>(SUGGESTIONS, [
      faces.map(({ id }) => id),
      rule.modelId,
      rule.leastSimilarity,
    ]);
    const byFace = Map.groupBy(rows, ({ detectionId }) => detectionId);
    return new Map([...byFace].map(([id, suggestions]) => [id, suggestions.slice(0, rule.most)]));
  }
}

function partsOf({ modelId, leastSimilarity }: SuggestionRule): readonly number[] {
  return [modelId, leastSimilarity];
}

function toListed(row: ListedRow): ListedFace {
  const { id, sourceImageId, confidence, cropKey, detectedAt, reviewStatus } = row;
  const bbox = { x: row.bboxX, y: row.bboxY, w: row.bboxW, h: row.bboxH };
  return { id, sourceImageId, bbox, confidence, cropKey, detectedAt, reviewStatus };
}

function toQueued(row: QueuedRow, suggestions: readonly NamedCandidate[]): QueuedFace {
  const { identityId, label, sourceMediaKey } = row;
  const identity = identityId === null ? null : { id: identityId, label: label! };
  return { ...toListed(row), sourceMediaKey, identity, suggestions };
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
