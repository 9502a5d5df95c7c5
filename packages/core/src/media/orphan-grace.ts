/**
 * The age, in ms, from which a file without a row is an orphan. Each request takes less time from storing a file to
 * writing its row.
 */
export const ORPHAN_GRACE_MS = 60 * 60 * 1000;

/**
 * The maximum age of a file, in ms, at which a transaction may still store its key. The transaction ends within a
 * minute; the rest of the grace period is a margin for differing clocks.
 */
export const LONGEST_UNTIL_ROW_MS = ORPHAN_GRACE_MS / 2;
