/** The state of the page Unknown, which is in its address. Absent members have their usual values. */
export interface UnknownSearch {
  /** The usual part is that of the groups. */
  readonly tab?: 'faces' | undefined;
  /** The similarity at which faces form a group; by default that of the settings. */
  readonly threshold?: number | undefined;
  /** The faces are ordered by quality unless the newest are to be first. */
  readonly sort?: 'newest' | undefined;
}

/** All members are present, because the router keeps parameters that are absent here. */
export function parseUnknownSearch(search: Record<string, unknown>): UnknownSearch {
  const { tab, threshold, sort } = search;
  return {
    tab: tab === 'faces' ? tab : undefined,
    threshold:
      typeof threshold === 'number' && threshold >= 0 && threshold <= 1 ? threshold : undefined,
    sort: sort === 'newest' ? sort : undefined,
  };
}
