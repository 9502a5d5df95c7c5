export const PERSON_TABS = [
  'faces',
  'suggested',
  'references',
  'mismatches',
  'rejected',
  'history',
] as const;

export type PersonTab = (typeof PERSON_TABS)[number];

/** The state of the page of a person, which is in its address. */
export interface PersonSearch {
  readonly tab?: PersonTab | undefined;
  /** The operation of the history whose records are shown. */
  readonly operation?: number | undefined;
}

export function parsePersonSearch({ tab, operation }: Record<string, unknown>): PersonSearch {
  return {
    tab: PERSON_TABS.find((each) => each === tab),
    operation: Number.isSafeInteger(operation) ? (operation as number) : undefined,
  };
}
