/** The number of rows that are read at once. */
export const PAGE = 1000;

/** Reads all pages of rows that are sorted by id. A page with fewer rows than requested is the last one. */
export async function* pages<Item>(
  read: (after: number) => Promise<readonly Item[]>,
  positionOf: (item: Item) => number,
): AsyncGenerator<readonly Item[]> {
  for (let after: number | null = 0; after !== null;) {
    const page: readonly Item[] = await read(after);
    yield page;
    after = page.length < PAGE ? null : positionOf(page.at(-1)!);
  }
}
