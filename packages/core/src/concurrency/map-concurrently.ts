/**
 * Maps at most `concurrency` items at a time. The results are in the order of the items. After an error, no further
 * item is started, and the promise rejects once the running items have ended.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = entriesOf(items);
  const drain = async (): Promise<void> => {
    // All loops share this generator. An error ends one loop and closes the generator, so the other loops get no more
    // items.
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  const drains = Array.from({ length: Math.min(concurrency, items.length) }, drain);
  const outcomes = await Promise.allSettled(drains);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return results;
}

function* entriesOf<T>(items: readonly T[]): Generator<[number, T]> {
  yield* items.entries();
}
