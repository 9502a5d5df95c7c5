/** The limits of the work that is done ahead of the reader. */
export interface WorkAhead<Item> {
  readonly weigh: (item: Item) => number;
  /** The most total weight of the items ahead of the reader. A single item may be heavier. */
  readonly most: number;
}

/**
 * Yields the results of work on items in their order, while work on the next items goes on. If the reader stops early,
 * waits for all started work.
 */
export async function* workAhead<Item, Result>(
  items: Iterable<Item>,
  { weigh, most }: WorkAhead<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting: { readonly result: Promise<Result>; readonly weight: number }[] = [];
  let held = 0;
  const begin = (item: Item): void => {
    const weight = weigh(item);
    const result = work(item);
    // The result is awaited later. Until then, a rejection must not count as unhandled.
    result.catch(() => undefined);
    waiting.push({ result, weight });
    held += weight;
  };
  const next = async function* (): AsyncGenerator<Result> {
    const [first] = waiting;
    if (first === undefined) return;
    yield await first.result;
    waiting.shift();
    held -= first.weight;
  };
  try {
    for (const item of items) {
      while (waiting.length > 0 && held + weigh(item) > most) yield* next();
      begin(item);
    }
    while (waiting.length > 0) yield* next();
  } finally {
    await Promise.allSettled(waiting.map(({ result }) => result));
  }
}
