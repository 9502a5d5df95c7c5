/**
 * The rows of arrays, as SQL in a `FROM`, for a statement whose plan is kept. The limit takes none away. It
 * keeps the server from planning for each execution anew, as it does where the plan for the rows at hand
 * promises to cost less than that for any number of rows: without it ten are assumed.
 *
 * @param arrays of one length, as SQL
 */
export function rowsOf(...arrays: readonly [string, ...string[]]): string {
  return `(SELECT * FROM unnest(${arrays.join(', ')}) LIMIT cardinality(${arrays[0]}))`;
}
