/** The state of the page Objects, which is in its address. Absent members have their usual values. */
export interface ObjectsSearch {
  /** A part of the name of the classes. */
  readonly q?: string | undefined;
  /** The usual order is that of the numbers, the highest first. */
  readonly sort?: 'name' | undefined;
}

/** All members are present, because the router keeps parameters that are absent here. */
export function parseObjectsSearch({ q, sort }: Record<string, unknown>): ObjectsSearch {
  // The router reads digits as a number.
  const text = ['string', 'number'].includes(typeof q) ? String(q) : '';
  return {
    q: text.trim() === '' ? undefined : text,
    sort: sort === 'name' ? sort : undefined,
  };
}
