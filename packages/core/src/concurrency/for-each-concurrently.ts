/**
 * Runs `work` for each item in their order, for at most `concurrency` items at a time. After an error, it starts no
 * further item, and rejects once the running ones have ended.
 */
export async function forEachConcurrently<Item>(
  items: AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  // The end of each item resolves the current promise. A race between the running ones would stay in memory until the
  // longest of them ends.
  let ended = Promise.withResolvers<undefined>();
  const start = (item: Item): void => {
    const one = work(item)
      .catch((error: unknown) => void errors.push(error))
      .finally(() => {
        running.delete(one);
        ended.resolve(undefined);
      });
    running.add(one);
  };
  try {
    for await (const item of items) {
      if (errors.length > 0) break;
      start(item);
      while (running.size >= concurrency && errors.length === 0) {
        ended = Promise.withResolvers();
        await ended.promise;
      }
      if (errors.length > 0) break;
    }
  } finally {
    await Promise.all(running);
  }
  if (errors.length > 0) throw errors[0];
}
