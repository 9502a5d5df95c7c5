/**
 * `missing`: a row without a point; `extra`: a point without a row; `stale`: a point with another
 * identity or vector than its row.
 */
export type DriftKind = 'missing' | 'extra' | 'stale';

/** How many points of the index differ from the database, by kind. */
export type IndexDrift = Readonly<Record<DriftKind, number>>;
