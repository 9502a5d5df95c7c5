import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work goes on before the event loop serves other work, in ms. */
const LONGEST_MS = 10;
/** The number of items between two looks at the clock. */
const ITEMS = 64;

/** Works on items one after the other, and lets the event loop serve other work in between if that takes long. */
export async function inTurns<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
): Promise<void> {
  let since = performance.now();
  let done = 0;
  for (const item of items) {
    work(item);
    if (++done % ITEMS !== 0 || performance.now() - since < LONGEST_MS) continue;
    await nextTurn();
    since = performance.now();
  }
}
