/** Part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Whether more items follow the last of these. */
  readonly hasMore: boolean;
}
