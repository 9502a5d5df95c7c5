/**
 * `missing`: the index lacks it; `extra`: the database does; `stale`: it has another identity or
 * another vector.
 */
export type DriftKind = 'missing' | 'extra' | 'stale';

/** How many points of the index did not agree with the database. */
export type IndexDrift = Readonly<Record<DriftKind, number>>;
