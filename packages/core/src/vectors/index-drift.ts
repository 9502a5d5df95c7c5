/**
 * A difference between the index and the database. `missing`: a row has no point. `extra`: a point has no row. `stale`:
 * the identity or the vector of a point differs from its row.
 */
export type DriftKind = 'missing' | 'extra' | 'stale';

/** The number of differences between the index and the database, by kind. */
export type IndexDrift = Readonly<Record<DriftKind, number>>;
