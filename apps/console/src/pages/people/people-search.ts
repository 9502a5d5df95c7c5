/** The orders of the list of people. */
export const PEOPLE_SORTS = ['label', 'detections', 'newest', 'last_seen'] as const;

export type PeopleSort = (typeof PEOPLE_SORTS)[number];

/** The state of the page People, which is in its address. */
export interface PeopleSearch {
  readonly q?: string | undefined;
  readonly sort?: PeopleSort | undefined;
  readonly waiting?: true | undefined;
}

const MAX_SEARCH_LENGTH = 200;

/** All members are present, because the router keeps parameters that are absent here. */
export function parsePeopleSearch({ q, sort, waiting }: Record<string, unknown>): PeopleSearch {
  // The router reads digits as a number.
  const text = ['string', 'number'].includes(typeof q) ? String(q).slice(0, MAX_SEARCH_LENGTH) : '';
  return {
    q: text.trim() === '' ? undefined : text,
    sort: PEOPLE_SORTS.find((each) => each === sort),
    waiting: waiting === true ? true : undefined,
  };
}
