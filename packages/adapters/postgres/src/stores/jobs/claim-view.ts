/**
 * How long expired leases are ignored after an outage, in ms. In this time live processes, which retry every second,
 * can release the claims that they could not renew.
 */
const GRACE_MS = 5_000;
/** The pause between two searches for items of dead processes, in ms. */
const RECOVERY_PAUSE_MS = 1_000;
/**
 * How long a process begins nothing after one of its slots has found a suspect, in ms. The slot, which looks for items
 * every second, extends this time until the suspect can run alone.
 */
const DRAIN_MS = 2_500;
/**
 * How long an unanswered claim may still be committed, in ms. The server ends the statement earlier, but its clock is
 * not that of the process.
 */
const LATE_MS = 60_000;
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
  /** Whether to search for items of dead processes before the next claim. */
  readonly recovery: { readonly is: 'due' } | { readonly is: 'pausing'; readonly until: number };
  /** Whether the last search found suspects: items that have to run alone, because their process or inference died. */
  readonly areSuspects: boolean;
  /**
   * Whether the process lets its items end, so that it can run a suspect alone. It only lets images end if a process runs
   * a suspect that may crash inference.
   */
  readonly trial:
    | { readonly is: 'none' }
    | { readonly is: 'draining' | 'draining_images'; readonly until: number };
  /**
   * Claims that the database did not answer. It may nevertheless have committed them, or may commit them until a time.
   */
  readonly unanswered: readonly { readonly token: string; readonly until: number }[];
}

/**
 * An outcome: items were created or not, a search for items of dead processes ended, inference crashed, a suspect waits
 * for the end of other items, a claim got no answer, unanswered claims were released, or the database was unavailable.
 */
export type ClaimEvent =
  | { readonly type: 'listed'; readonly found: boolean }
  | { readonly type: 'recovered'; readonly areSuspects: boolean }
  | { readonly type: 'crashed' }
  | { readonly type: 'draining' | 'draining_images' }
  | { readonly type: 'unanswered'; readonly token: string }
  | { readonly type: 'released'; readonly tokens: readonly string[] }
  | { readonly type: 'outage' };

export const FIRST_CLAIM: ClaimView = {
  database: { is: 'steady' },
  listing: { is: 'due' },
  recovery: { is: 'due' },
  areSuspects: false,
  trial: { is: 'none' },
  unanswered: [],
};

export function afterEvent(view: ClaimView, event: ClaimEvent, now: number): ClaimView {
  switch (event.type) {
    case 'listed': {
      const until = now + LISTING_PAUSE_MS;
      return { ...view, listing: event.found ? { is: 'due' } : { is: 'pausing', until } };
    }
    case 'recovered': {
      const until = now + RECOVERY_PAUSE_MS;
      return { ...view, recovery: { is: 'pausing', until }, areSuspects: event.areSuspects };
    }
    case 'crashed':
      return { ...view, recovery: { is: 'due' } };
    case 'draining':
    case 'draining_images':
      return { ...view, trial: { is: event.type, until: now + DRAIN_MS } };
    case 'unanswered': {
      const late = { token: event.token, until: now + LATE_MS };
      return { ...view, unanswered: [...view.unanswered, late] };
    }
    case 'released': {
      const unanswered = view.unanswered.filter(({ token }) => !event.tokens.includes(token));
      return { ...view, unanswered };
    }
    case 'outage':
      return { ...view, database: { is: 'recovering', until: now + GRACE_MS } };
  }
}

/** The view at a time. States whose time has passed are replaced. */
export function viewAt(view: ClaimView, now: number): ClaimView {
  const isPast = (state: object) => 'until' in state && now >= Number(state.until);
  return {
    database: isPast(view.database) ? { is: 'steady' } : view.database,
    listing: isPast(view.listing) ? { is: 'due' } : view.listing,
    recovery: isPast(view.recovery) ? { is: 'due' } : view.recovery,
    areSuspects: view.areSuspects,
    trial: isPast(view.trial) ? { is: 'none' } : view.trial,
    unanswered: view.unanswered.filter((claim) => !isPast(claim)),
  };
}
