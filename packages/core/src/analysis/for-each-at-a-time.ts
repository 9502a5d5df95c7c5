/**
 * Works on items in the order in which they come, at most `most` at a time. After an error it takes
 * no further item, and rejects once the items in progress have ended.
 */
export async function forEachAtATime<Item>(
  most: number,
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  try {
    for await (const item of items) {
      const one = work(item).finally(() => running.delete(one));
      // Without this, a rejection before the awaits below would count as unhandled.
      one.catch(() => undefined);
      running.add(one);
      if (running.size >= most) await Promise.race(running);
    }
    await Promise.all(running);
  } finally {
    await Promise.allSettled(running);
  }
}
