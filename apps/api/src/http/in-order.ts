/** Returns the items with these ids, in the order of the ids. Ids without an item are left out. */
export function inOrder<Item extends { readonly id: number }>(
  ids: readonly number[],
  items: readonly Item[],
): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
