import { listChangesContract } from '@sightline/contracts/changes/list-changes-contract';
import type { FeedWatch } from '@sightline/core/feed/feed-watch';
import type { FeedEntry } from '@sightline/core/feed/feed-entry';
import type { Page } from '@sightline/core/store/page';
import type { Scope } from '@sightline/core/store/scope';
import { defineRoute, type Parked } from '../../http/define-route.ts';

/** How often the caller of a waiting request is checked again, in ms. */
const CHECK_EVERY_MS = 5_000;

export const listChangesRoute = defineRoute(listChangesContract, {
  async handler({ database, feedWatch }, request) {
    const { query, scope, signal } = request;
    const { since, limit, wait } = query;
    if (since === 'latest') {
      const head = await database.withScope(scope, ({ feed }) => feed.head(), signal);
      return answerWith({ items: [], hasMore: false }, head);
    }
    const read = () => database.withScope(scope, ({ feed }) => feed.after(since, limit), signal);
    const entries = await read();
    const parked = wait > 0 && entries.items.length === 0 ? request.park() : null;
    if (parked === null) return answerWith(entries, since);
    const waiting = { scope, after: since, ms: wait * 1_000, parked };
    const isChanged = await waitForChange(feedWatch, waiting, signal);
    return answerWith(isChanged ? await read() : entries, since);
  },
});

interface Waiting {
  readonly scope: Scope;
  readonly after: number;
  readonly ms: number;
  readonly parked: Parked;
}

/** Returns whether the feed has changed. @throws the errors of the caller's check */
async function waitForChange(
  feedWatch: Pick<FeedWatch, 'wait'>,
  { scope: { environmentId }, after, ms, parked }: Waiting,
  signal: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + ms;
  for (;;) {
    const left = Math.max(until - performance.now(), 0);
    const part = { environmentId, after, ms: Math.min(left, CHECK_EVERY_MS) };
    const end = await feedWatch.wait(part, signal);
    if (end === 'ended') return false;
    await parked.requireCaller();
    if (end === 'changed') return true;
    if (performance.now() >= until) return false;
  }
}

function answerWith({ items, hasMore }: Page<FeedEntry>, since: number) {
  return {
    status: 200,
    body: {
      changes: items.map(presentChange),
      next_cursor: items.at(-1)?.id ?? since,
      has_more: hasMore,
    },
  } as const;
}

function presentChange(entry: FeedEntry) {
  return {
    id: entry.id,
    entity_type: entry.entityType,
    entity_id: entry.entityId,
    action: entry.action,
    external_ref: entry.externalRef,
    event_id: entry.eventId,
    created_at: entry.createdAt.toISOString(),
    ...(entry.operationId !== null && { operation_id: entry.operationId }),
  };
}
