/** Age from which a file without a row is an orphan: no request takes this long from file to row. */
export const ORPHAN_GRACE_MS = 60 * 60 * 1000;

/**
 * Age up to which a transaction may store the key of a file. It ends within a minute; the rest of the
 * grace period is for clocks that differ.
 */
export const LONGEST_UNTIL_ROW_MS = ORPHAN_GRACE_MS / 2;
