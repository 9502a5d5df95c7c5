/** The number of pieces that a body may have, however small they are. */
export const FREE_PIECES = 32_768;
/** The minimum average size of the pieces of a body with more than `FREE_PIECES`, in bytes. */
export const LEAST_PIECE_BYTES = 64;

/**
 * Whether a body arrives in too many tiny chunks. A parser of HTTP needs as much time for a chunk of one byte as for one of
 * many kilobytes.
 */
export function isFragmented(pieces: number, bytes: number): boolean {
  return pieces > FREE_PIECES && bytes < pieces * LEAST_PIECE_BYTES;
}
