export const REVIEW_TABS = ['suggested', 'open', 'mismatches'] as const;

export type ReviewTab = (typeof REVIEW_TABS)[number];

/** The state of the page Review, which is in its address. Absent members have their usual values. */
export interface ReviewSearch {
  /** The usual part is that with suggestions. */
  readonly tab?: Exclude<ReviewTab, 'suggested'> | undefined;
  /** The usual view has one face at a time. */
  readonly view?: 'person' | undefined;
  /** The lowest similarity of the faces by person. */
  readonly min?: number | undefined;
  /** The person whose group is open. */
  readonly person?: number | undefined;
}

/** All members are present, because the router keeps parameters that are absent here. */
export function parseReviewSearch(search: Record<string, unknown>): ReviewSearch {
  const { tab, view, min, person } = search;
  return {
    tab: tab === 'open' || tab === 'mismatches' ? tab : undefined,
    view: view === 'person' ? view : undefined,
    min: typeof min === 'number' && min > 0 && min <= 1 ? min : undefined,
    person: Number.isSafeInteger(person) ? (person as number) : undefined,
  };
}
