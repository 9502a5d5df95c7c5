export const TRY_TABS = ['test', 'identify', 'verify'] as const;

export type TryTab = (typeof TRY_TABS)[number];

/** The kinds of things that the test looks for. */
export const TESTED_TYPES = ['all', 'faces', 'objects'] as const;

export type TestedType = (typeof TESTED_TYPES)[number];

/** The state of the page that its address keeps. Photos are never in it. */
export interface TrySearch {
  readonly tab?: TryTab | undefined;
  readonly type?: TestedType | undefined;
  /** The least similarity of a match; absent for that of the environment. */
  readonly threshold?: number | undefined;
  /** The least score of a detection that the test shows. */
  readonly score?: number | undefined;
  /** Whether a photo is compared with a person instead of another photo. */
  readonly against?: 'person' | undefined;
  /** The person with whom a photo is compared. */
  readonly person?: number | undefined;
}

export function parseTrySearch(raw: Record<string, unknown>): TrySearch {
  return {
    tab: TRY_TABS.find((each) => each === raw.tab),
    type: TESTED_TYPES.find((each) => each === raw.type),
    threshold: between(raw.threshold, -1),
    score: between(raw.score, 0),
    against: raw.against === 'person' ? raw.against : undefined,
    person:
      Number.isSafeInteger(raw.person) && Number(raw.person) > 0 ? Number(raw.person) : undefined,
  };
}

function between(value: unknown, least: number): number | undefined {
  return typeof value === 'number' && value >= least && value <= 1 ? value : undefined;
}
