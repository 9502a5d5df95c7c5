/**
 * Merges the symbols of a word until no pair has a rank. Each step merges every occurrence of the
 * pair with the lowest rank, from left to right.
 *
 * @param ranks ranks of pairs, keyed by both symbols with a space in between
 */
export function mergePairs(
  word: readonly string[],
  ranks: ReadonlyMap<string, number>,
): readonly string[] {
  let symbols = word;
  for (;;) {
    const pair = lowestPair(symbols, ranks);
    if (pair === null) return symbols;
    symbols = mergePair(symbols, pair);
  }
}

function lowestPair(symbols: readonly string[], ranks: ReadonlyMap<string, number>): string | null {
  let lowest = Infinity;
  let found: string | null = null;
  for (let at = 1; at < symbols.length; at++) {
    const pair = `${symbols[at - 1]!} ${symbols[at]!}`;
    const rank = ranks.get(pair) ?? Infinity;
    if (rank < lowest) [lowest, found] = [rank, pair];
  }
  return found;
}

function mergePair(symbols: readonly string[], pair: string): string[] {
  const merged: string[] = [];
  for (let at = 0; at < symbols.length; at++) {
    const isPair = at + 1 < symbols.length && `${symbols[at]!} ${symbols[at + 1]!}` === pair;
    merged.push(isPair ? symbols[at]! + symbols[++at]! : symbols[at]!);
  }
  return merged;
}
