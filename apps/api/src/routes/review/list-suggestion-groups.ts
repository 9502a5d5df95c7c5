import {
  listSuggestionGroupsContract,
  MAX_SAMPLES,
  type SuggestionGroup as GroupAnswer,
} from '@sightline/contracts/review/list-suggestion-groups-contract';
import type { GroupPlace, SuggestionGroup } from '@sightline/core/detections/queue-selection';
import { readWithSuggestions } from '@sightline/core/matching/read-with-suggestions';
import { cropUrl } from '@sightline/presentation/media-url';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentQueuedFace } from './present-reviewed-face.ts';

const Cursor = z
  .tuple([z.literal('groups'), z.int(), z.int()])
  .transform(([, count, identityId]): GroupPlace => ({ count, identityId }));

export const listSuggestionGroupsRoute = defineRoute(listSuggestionGroupsContract, {
  async handler({ database, modelStore, parts }, { query, scope, signal }) {
    const { cursor, limit, min_similarity: minSimilarity } = query;
    const after = decodeCursor(Cursor, cursor);
    const filter = minSimilarity === undefined ? {} : { minSimilarity };
    const page = { after, limit, samples: MAX_SAMPLES };
    const deps = { database, models: modelStore };
    // Requests of an environment take turns, because each counts all faces with a suggestion.
    const { items, hasMore, asOf } = await parts.run(
      scope,
      () =>
        readWithSuggestions(deps, { scope, signal }, ({ queue }, rule) =>
          queue.groups({ ...filter, rule }, page),
        ),
      signal,
    );
    const last = hasMore ? items.at(-1) : undefined;
    return {
      status: 200,
      body: {
        items: items.map(present),
        as_of: asOf.toISOString(),
        next_cursor: last === undefined ? null : cursorOf(last),
        has_more: hasMore,
      },
    };
  },
});

function cursorOf({ count, identityId }: GroupPlace): string {
  return encodeCursor(['groups', count, identityId]);
}

function present(group: SuggestionGroup): z.input<typeof GroupAnswer> {
  const { identityId, label, thumbnail, count, best, worst, samples } = group;
  return {
    identity_id: identityId,
    label,
    thumbnail_url: thumbnail && cropUrl(thumbnail.detectionId, thumbnail.cropKey),
    count,
    best,
    worst,
    samples: samples.map(presentQueuedFace),
  };
}
