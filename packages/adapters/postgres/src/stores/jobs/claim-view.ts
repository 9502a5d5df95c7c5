/** For this time after an outage, in ms, processes that live release once a second what they could not renew. */
const GRACE_MS = 5_000;
/** Pause between two listings of items, in ms, while there is nothing to list. */
const LISTING_PAUSE_MS = 250;

/**
 * What a process that claims items knows from its earlier statements. Times are in ms, on its monotonic clock.
 *
 * The database is `steady`: an expired lease is that of a dead process. Or it is `recovering` from an outage, in which
 * processes that live could not renew their leases.
 */
export interface ClaimView {
  readonly database:
    { readonly is: 'steady' } | { readonly is: 'recovering'; readonly until: number };
  /** Whether to list items of re-embeddings before the next claim, or, if there were none, not before a time. */
  readonly listing: { readonly is: 'due' } | { readonly is: 'pausing'; readonly until: number };
  /** Tokens of claims without an answer: the database may have committed them. */
  readonly unanswered: readonly string[];
}

/** Events: the outcome of a listing, a claim without an answer and its release, an outage of the database. */
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

/** The view with the states that have ended by now replaced. */
export function viewAt({ database, listing, unanswered }: ClaimView, now: number): ClaimView {
  return {
    database: database.is === 'recovering' && now >= database.until ? { is: 'steady' } : database,
    listing: listing.is === 'pausing' && now >= listing.until ? { is: 'due' } : listing,
    unanswered,
  };
}
