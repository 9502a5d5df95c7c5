/**
 * How long expired leases are ignored after an outage, in ms. In this time live processes, which retry every second,
 * can release the claims that they could not renew.
 */
const GRACE_MS = 5_000;
/** The pause before the next attempt to create items, in ms, after an attempt found none to create. */
const LISTING_PAUSE_MS = 250;

/**
 * The knowledge that a process has from its earlier statements when it claims items. Times are in ms, on the
 * process's monotonic clock.
 *
 * While the database is `steady`, an expired lease means that its process has died. While the database is
 * `recovering` from an outage, a live process may have been unable to renew its lease.
 */
export interface ClaimView {
  readonly database:
    { readonly is: 'steady' } | { readonly is: 'recovering'; readonly until: number };
  /**
   * Whether to create items of re-embeddings before the next claim. After an attempt found none to create, creation
   * pauses until a time.
   */
  readonly listing: { readonly is: 'due' } | { readonly is: 'pausing'; readonly until: number };
  /** Tokens of claims that the database did not answer. It may nevertheless have committed these claims. */
  readonly unanswered: readonly string[];
}

/**
 * An outcome: items were created or not, a claim got no answer, unanswered claims were released, or the database was
 * unavailable.
 */
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

/** The view at a time. States whose time has passed are replaced. */
export function viewAt({ database, listing, unanswered }: ClaimView, now: number): ClaimView {
  return {
    database: database.is === 'recovering' && now >= database.until ? { is: 'steady' } : database,
    listing: listing.is === 'pausing' && now >= listing.until ? { is: 'due' } : listing,
    unanswered,
  };
}
