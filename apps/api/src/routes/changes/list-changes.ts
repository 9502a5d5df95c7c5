import { listChangesContract } from '@sightline/contracts/changes/list-changes-contract';
import type { FeedEntry } from '@sightline/core/feed/feed-entry';
import { defineRoute } from '../../http/define-route.ts';

export const listChangesRoute = defineRoute(listChangesContract, {
  async handler({ database }, { query: { since, limit }, scope, signal }) {
    const { items, hasMore } = await database.withScope(
      scope,
      ({ feed }) => feed.after(since, limit),
      signal,
    );
    return {
      status: 200,
      body: {
        changes: items.map(presentChange),
        next_cursor: items.at(-1)?.id ?? since,
        has_more: hasMore,
      },
    };
  },
});

function presentChange(entry: FeedEntry) {
  return {
    id: entry.id,
    entity_type: entry.entityType,
    entity_id: entry.entityId,
    action: entry.action,
    external_ref: entry.externalRef,
    event_id: entry.eventId,
    created_at: entry.createdAt.toISOString(),
  };
}
