/**
 * How long after an outage, in ms, expired leases are ignored: live processes retry once a second to release the
 * claims that they could not renew.
 */
const GRACE_MS = 5_000;
/** The pause before the next attempt to create items, in ms, after one that found none to create. */
const LISTING_PAUSE_MS = 250;

/**
 * The knowledge of a process that claims items, from its earlier statements. Times are in ms, on its monotonic clock.
 *
 * While the database is `steady`, an expired lease means that its process has died. While it is `recovering` from an
 * outage, a live process may not have been able to renew its lease.
 */
export interface ClaimView {
  readonly database:
    { readonly is: 'steady' } | { readonly is: 'recovering'; readonly until: number };
  /**
   * Whether the next items of re-embeddings are created before the next claim; if there were none, not before a time.
   */
  readonly listing: { readonly is: 'due' } | { readonly is: 'pausing'; readonly until: number };
  /** Tokens of claims without an answer: the database may have committed them. */
  readonly unanswered: readonly string[];
}

/** The outcome of creating items, a claim without an answer and its release, and an outage of the database. */
export type ClaimEvent =
  | { readonly type: 'listed'; readonly found: boolean }
  | { readonly type: 'unanswered'; readonly token: string }
  | { readonly type: 'released'; readonly tokens: readonly string[] }
  | { readonly type: 'outage' };

export const FIRST_CLAIM: ClaimView = {
  database: { is: 'steady' },
  listing: { is: 'due' },
  unanswered: [],
};

export function afterEvent(view: ClaimView, event: ClaimEvent, now: number): ClaimView {
  switch (event.type) {
    case 'listed': {
      const until = now + LISTING_PAUSE_MS;
      return { ...view, listing: event.found ? { is: 'due' } : { is: 'pausing', until } };
    }
    case 'unanswered':
      return { ...view, unanswered: [...view.unanswered, event.token] };
    case 'released': {
      const unanswered = view.unanswered.filter((token) => !event.tokens.includes(token));
      return { ...view, unanswered };
    }
    case 'outage':
      return { ...view, database: { is: 'recovering', until: now + GRACE_MS } };
  }
}

/** The view at a time: states that have expired by then are replaced. */
export function viewAt({ database, listing, unanswered }: ClaimView, now: number): ClaimView {
  return {
    database: database.is === 'recovering' && now >= database.until ? { is: 'steady' } : database,
    listing: listing.is === 'pausing' && now >= listing.until ? { is: 'due' } : listing,
    unanswered,
  };
}
