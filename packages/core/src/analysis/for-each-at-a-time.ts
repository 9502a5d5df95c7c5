/**
 * Works on items, at most so many at a time, in the order in which they come. After an error no further
 * item is taken; what is at work ends first.
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
      // It is awaited below, maybe after it has failed.
      one.catch(() => undefined);
      running.add(one);
      if (running.size >= most) await Promise.race(running);
    }
    await Promise.all(running);
  } finally {
    await Promise.allSettled(running);
  }
}
