/** The number of ids that are read at a time. */
const PAGE = 10_000;

/** Reads the ids of a selection, ascending, page after page. */
export async function allIds(
  read: (page: { readonly after: number; readonly limit: number }) => Promise<readonly number[]>,
): Promise<readonly number[]> {
  const pages: (readonly number[])[] = [];
  for (let after = 0, isLast = false; !isLast;) {
    const page = await read({ after, limit: PAGE });
    pages.push(page);
    isLast = page.length < PAGE;
    after = page.at(-1) ?? after;
  }
  return pages.flat();
}
