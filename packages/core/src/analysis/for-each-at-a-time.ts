/**
 * Runs `work` for each item in their order, for at most `most` items at a time. After an error, it starts no further
 * item, and rejects once the running ones have ended.
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
      // This handler does nothing. Without it, Node would report a rejection that comes before the awaits below as
      // unhandled.
      one.catch(() => undefined);
      running.add(one);
      if (running.size >= most) await Promise.race(running);
    }
    await Promise.all(running);
  } finally {
    await Promise.allSettled(running);
  }
}
