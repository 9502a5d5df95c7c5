import type {
  ListedFace,
  QueuedFace,
  QueuePosition,
  SuggestionRule,
} from '@sightline/core/detections/face-lists';
import type { NamedCandidate } from '@sightline/core/identities/candidate';
import type { Suggestion } from '@sightline/core/references/gallery-store';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { QUEUED_FACES, SUGGESTIONS } from './face-list-queries.ts';

export interface ListedRow extends Omit<ListedFace, 'bbox'> {
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

/** Reads faces of the review queue with their suggestions, in the order of their positions. */
export async function readQueuedFaces(
  session: TransactionSession,
  rule: SuggestionRule | null,
  listed: readonly Pick<QueuePosition, 'id' | 'value'>[],
): Promise<readonly QueuedFace[]> {
  const ids = listed.map(({ id }) => id);
  const rows = await session.query<QueuedRow>(QUEUED_FACES, [ids]);
  const suggestions = await suggestionsOf(session, rule, rows);
  const values = new Map(listed.map(({ id, value }) => [id, value]));
  return rows.map((row) => {
    const sortValue = values.get(row.id)!;
    return toQueued(row, { suggestions: suggestions.get(row.id) ?? [], sortValue });
  });
}

async function suggestionsOf(
  session: TransactionSession,
  rule: SuggestionRule | null,
  faces: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, readonly NamedCandidate[]>> {
  if (rule === null || faces.length === 0) return new Map();
  const rows = await session.query<Suggestion>(SUGGESTIONS, [
    faces.map(({ id }) => id),
    rule.modelId,
    rule.leastSimilarity,
  ]);
  const byFace = Map.groupBy(rows, ({ detectionId }) => detectionId);
  return new Map([...byFace].map(([id, suggestions]) => [id, suggestions.slice(0, rule.most)]));
}

export function toListed(row: ListedRow): ListedFace {
  const { id, sourceImageId, confidence, cropKey, detectedAt, reviewStatus } = row;
  const bbox = { x: row.bboxX, y: row.bboxY, w: row.bboxW, h: row.bboxH };
  return { id, sourceImageId, bbox, confidence, cropKey, detectedAt, reviewStatus };
}

function toQueued(
  row: QueuedRow,
  found: Pick<QueuedFace, 'suggestions' | 'sortValue'>,
): QueuedFace {
  const { identityId, label, sourceMediaKey } = row;
  const identity = identityId === null ? null : { id: identityId, label: label! };
  return { ...toListed(row), ...found, sourceMediaKey, identity };
}
