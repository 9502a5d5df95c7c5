export interface Page<Item> {
  readonly items: readonly Item[];
  /** Whether the list continues after this page. */
  readonly hasMore: boolean;
}
