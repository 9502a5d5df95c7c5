import type {
  DayCounts,
  ObjectClass,
  Statistics,
  StatisticsReader,
} from '@sightline/core/statistics/statistics-store';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { takePage } from '../database/take-page.ts';
import { isDeleted, rowIdArrayOf } from '../identities/seen-identity.ts';
import { thumbnailOf, type ThumbnailRow, toThumbnail } from '../identities/thumbnail.ts';
import type { ReadContext } from '../database/store-context.ts';

const COUNTERS: Readonly<Record<keyof Statistics, string>> = {
  faceIdentities: 'face_identities',
  objectIdentities: 'object_identities',
  faceDetections: 'face_detections',
  objectDetections: 'object_detections',
  sourceImages: 'source_images',
  pendingReview: 'pending_review',
  storageBytes: 'storage_bytes',
  setAsideBytes: 'set_aside_bytes',
};

/**
 * The sums of these counters. Detections of an identity that is being deleted still count in the environment's
 * counters, so the identity's own counters are subtracted. The counter of stored bytes is not reduced, because the
 * files of these detections still exist.
 */
const TOTALS = `
  SELECT counter, sum(delta)::bigint AS total
  FROM (
    SELECT counter, delta FROM counter_deltas WHERE counter = any($1) AND subject_id = 0
    UNION ALL
    SELECT 'storage_bytes', delta FROM counter_deltas
    WHERE counter = 'rendition_bytes' AND subject_id = 0 AND 'storage_bytes' = any($1)
    UNION ALL
    SELECT CASE d.counter WHEN 'identity.detections' THEN i.type || '_detections'
             ELSE 'pending_review' END, -d.delta
    FROM identities i
    JOIN counter_deltas d ON d.environment_id = i.environment_id AND d.subject_id = i.id
      AND d.counter IN ('identity.detections', 'identity.pending_review')
    WHERE ${isDeleted('i')}
  ) AS counted
  GROUP BY counter`;

export async function readTotals<Name extends keyof Statistics>(
  session: TransactionSession,
  names: readonly Name[],
): Promise<Pick<Statistics, Name>> {
  const rows = await session.query<{ counter: string; total: number }>(TOTALS, [
    names.map((name) => COUNTERS[name]),
  ]);
  const totals = new Map(rows.map(({ counter, total }) => [counter, total]));
  const entries = names.map((name) => [name, totals.get(COUNTERS[name]) ?? 0]);
  return Object.fromEntries(entries) as Pick<Statistics, Name>;
}

const COUNTERS_OF_DAYS: Readonly<Record<keyof Omit<DayCounts, 'date'>, string>> = {
  images: 'day.images',
  faces: 'day.faces',
  objects: 'day.objects',
  confirmedAutomatic: 'day.confirmed_automatic',
  confirmedHuman: 'day.confirmed_human',
  rejected: 'day.rejected',
  enrolled: 'day.enrolled',
};

/** Days without any counter have one row without a counter. */
const DAYS = `
  SELECT d.day, c.counter, c.amount
  FROM generate_series(day_of(now()) - $2 + 1, day_of(now())) AS d (day)
  LEFT JOIN (
    SELECT subject_id AS day, counter, sum(delta)::bigint AS amount FROM counter_deltas
    WHERE counter = any($1) AND subject_id > day_of(now()) - $2 GROUP BY 1, 2
  ) AS c USING (day)
  ORDER BY d.day`;

interface DayRow {
  readonly day: number;
  readonly counter: string | null;
  readonly amount: number;
}

const DAY_MS = 86_400_000;

/** An operation near midnight has changes on two days, and its undo takes them off one of them. No count gets negative. */
function toDayCounts(day: number, rows: readonly DayRow[]): DayCounts {
  const amounts = new Map(rows.map(({ counter, amount }) => [counter, amount]));
  const counts = Object.entries(COUNTERS_OF_DAYS).map(([name, counter]) => [
    name,
    Math.max(0, amounts.get(counter) ?? 0),
  ]);
  return {
    date: new Date(day * DAY_MS).toISOString().slice(0, 10),
    ...(Object.fromEntries(counts) as Omit<DayCounts, 'date'>),
  };
}

/** Each class takes one lookup of its counter, one of its identity, and one of the thumbnail. */
const CLASSES = `
  SELECT c.name, counted.total AS "detectionCount", i.id AS "identityId", thumbnail.*
  FROM object_classes c
  CROSS JOIN LATERAL (
    SELECT sum(d.delta)::bigint AS total FROM counter_deltas d
    WHERE d.environment_id = c.environment_id AND d.counter = 'class.detections' AND d.subject_id = c.id
  ) AS counted
  LEFT JOIN LATERAL (
    SELECT i.id, i.cover_detection_id FROM identities i
    WHERE i.environment_id = c.environment_id AND i.type = 'object' AND i.label = c.name
      AND i.deleting_since IS NULL LIMIT 1
  ) AS i ON true
  ${thumbnailOf('i.cover_detection_id', rowIdArrayOf('i.id'))}
  WHERE counted.total > 0 AND ($1::text IS NULL OR c.name > $1 COLLATE "C")
  ORDER BY c.name LIMIT $2`;

interface ClassRow extends ThumbnailRow, Omit<ObjectClass, 'thumbnail'> {}

export function statisticsReader(context: ReadContext): StatisticsReader {
  return {
    async totals() {
      return readTotals(context.session, Object.keys(COUNTERS) as (keyof Statistics)[]);
    },
    async days(count) {
      const counters = Object.values(COUNTERS_OF_DAYS);
      const rows = await context.session.query<DayRow>(DAYS, [counters, count]);
      const byDay = Map.groupBy(rows, ({ day }) => day);
      return Array.from(byDay, ([day, own]) => toDayCounts(day, own));
    },
    async classes({ after, limit }) {
      const rows = await context.session.query<ClassRow>(CLASSES, [after, limit + 1]);
      return takePage(
        rows.map(({ thumbnailId, cropKey, name, detectionCount, identityId }) => ({
          name,
          detectionCount,
          identityId,
          thumbnail: toThumbnail({ thumbnailId, cropKey }),
        })),
        limit,
      );
    },
  };
}
