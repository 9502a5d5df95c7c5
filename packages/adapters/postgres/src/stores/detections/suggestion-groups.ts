import type {
  GroupPlace,
  QueueSelections,
  SuggestionGroups,
} from '@sightline/core/detections/queue-selection';
import type { QueueFilter, SuggestionRule } from '@sightline/core/detections/face-lists';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { firstSpot } from '../database/listed-rows.ts';
import { Placeholders } from '../database/placeholders.ts';
import { takePage } from '../database/take-page.ts';
import { rowIdArrayOf, rowIdsOf } from '../identities/seen-identity.ts';
import { thumbnailOf, type ThumbnailRow, toThumbnail } from '../identities/thumbnail.ts';
import { readQueuedFaces } from './queued-faces.ts';
import { DOUBTFUL, hasSuggestion, IS_SEEN, leastOf, rowsOfGroup } from './review-queue.ts';

interface GroupRow extends GroupPlace, ThumbnailRow {
  readonly label: string;
  readonly best: number;
  readonly worst: number;
}

interface GroupFilter extends Pick<QueueFilter, 'minSimilarity'> {
  readonly rule: SuggestionRule;
}

interface GroupPage {
  readonly after: GroupPlace | null;
  readonly limit: number;
  readonly samples: number;
}

/** The place before the first group. */
const FIRST: GroupPlace = { count: Number.MAX_SAFE_INTEGER, identityId: 0 };

/**
 * SQL of common table expressions, the last of which is `counted`: the identities with their faces. While identities are
 * deleted or merged, those that this concerns are counted face by face.
 */
function counted(model: string, least: string, isSettled: boolean): string {
  const totals = `SELECT * FROM suggestion_counts(${model}, ${least})`;
  if (isSettled) return `counted AS (${totals})`;
  const similar = `f.model_id = ${model} AND f.similarity >= ${least}`;
  return `${DOUBTFUL}, hidden AS MATERIALIZED (
    SELECT f.detection_id, f.identity_id FROM doubtful
    JOIN suggested_faces f USING (environment_id, detection_id)
    JOIN detections d ON d.environment_id = f.environment_id AND d.id = f.detection_id
    WHERE ${similar} AND NOT (${IS_SEEN} AND ${hasSuggestion([model, least])})
  ), concerned AS MATERIALIZED (
    SELECT id FROM deleting
    UNION SELECT merged_into FROM deleting WHERE merged_into IS NOT NULL
    UNION SELECT identity_id FROM hidden
  ), counted AS (
    SELECT * FROM (${totals}) AS others WHERE id NOT IN (SELECT id FROM concerned)
    UNION ALL
    SELECT c.id, count(*), max(f.similarity), min(f.similarity) FROM concerned c
    CROSS JOIN LATERAL ${rowIdsOf('c.id')} AS own
    CROSS JOIN LATERAL (
      SELECT f.detection_id, f.similarity FROM suggested_faces f
      WHERE f.identity_id = own.id AND ${similar} OFFSET 0) AS f
    WHERE c.id NOT IN (SELECT id FROM deleting)
      AND f.detection_id NOT IN (SELECT detection_id FROM hidden)
    GROUP BY c.id)`;
}

function groupQuery(
  filter: GroupFilter,
  { after, limit }: GroupPage,
  isSettled: boolean,
): { readonly text: string; readonly values: readonly unknown[] } {
  const parameters = new Placeholders();
  const model = parameters.of(filter.rule.modelId);
  const least = parameters.of(leastOf(filter.rule, filter));
  const { count, identityId } = after ?? FIRST;
  const text = `
    WITH ${counted(model, least, isSettled)}, page AS (
      SELECT * FROM counted
      WHERE (count, id) < (${parameters.of(count, 'bigint')}, ${parameters.of(identityId, 'bigint')})
      ORDER BY count DESC, id DESC LIMIT ${parameters.of(limit + 1, 'bigint')}
    )
    SELECT page.id AS "identityId", i.label, page.count, page.best, page.worst, thumbnail.*
    FROM page
    CROSS JOIN LATERAL (SELECT label, cover_detection_id FROM identities WHERE id = page.id OFFSET 0) AS i
    ${thumbnailOf('i.cover_detection_id', rowIdArrayOf('page.id'))}
    ORDER BY page.count DESC, page.id DESC`;
  return { text, values: parameters.values };
}

interface SampleRow {
  readonly identityId: number;
  readonly value: number;
  readonly id: number;
}

/** Reads the most similar faces of identities, by one lookup in an index for each of them. */
async function readSamples(
  session: TransactionSession,
  filter: GroupFilter,
  {
    ids,
    most,
    isSettled,
  }: { readonly ids: readonly number[]; readonly most: number; readonly isSettled: boolean },
) {
  const rows = rowsOfGroup(filter, 'page.id', isSettled);
  const parameters = new Placeholders(rows.parameters.values);
  const found = rows.behind(firstSpot('desc', 'float8'), { most: parameters.of(most, 'bigint') });
  const samples = await session.query<SampleRow>(
    `SELECT page.id AS "identityId", face.value, face.id
     FROM unnest(${parameters.of(ids, 'bigint[]')}) WITH ORDINALITY AS page (id, place)
     CROSS JOIN LATERAL (${found}) AS face
     ORDER BY page.place, face.value DESC, face.id DESC`,
    parameters.values,
  );
  const faces = await readQueuedFaces(session, filter.rule, samples);
  const identityOf = new Map(samples.map(({ id, identityId }) => [id, identityId]));
  return Map.groupBy(faces, ({ id }) => identityOf.get(id)!);
}

/** @param isSettled whether no identity is in the middle of its deletion or merge */
export async function readGroups(
  session: TransactionSession,
  { rule, ...filter }: Parameters<QueueSelections['groups']>[0],
  { isSettled, ...page }: GroupPage & { readonly isSettled: boolean },
): Promise<SuggestionGroups> {
  const [time] = await session.query<{ asOf: Date }>('SELECT now()::timestamptz(3) AS "asOf"');
  const { asOf } = time!;
  if (rule === null) return { items: [], hasMore: false, asOf };
  const ruled = { ...filter, rule };
  const { text, values } = groupQuery(ruled, page, isSettled);
  const { items, hasMore } = takePage(await session.query<GroupRow>(text, values), page.limit);
  const ids = items.map(({ identityId }) => identityId);
  const samples = await readSamples(session, ruled, { ids, most: page.samples, isSettled });
  return {
    items: items.map(({ thumbnailId, cropKey, ...group }) => ({
      ...group,
      thumbnail: toThumbnail({ thumbnailId, cropKey }),
      samples: samples.get(group.identityId) ?? [],
    })),
    hasMore,
    asOf,
  };
}
