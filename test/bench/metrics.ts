interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The metrics of a process at one moment. */
export class Metrics {
  readonly #samples: readonly Sample[];

  constructor(page: string) {
    this.#samples = page.split('\n').flatMap(sampleOf);
  }

  /** The sum over all labels. */
  sum(name: string): number {
    return this.#samples.reduce((all, each) => all + (each.name === name ? each.value : 0), 0);
  }

  /**
   * Estimates a quantile of a histogram over all labels as Prometheus does: values are spread evenly within a
   * bucket.
   */
  quantile(name: string, share: number): number {
    const buckets = new Map<number, number>();
    for (const { name: of, labels, value } of this.#samples) {
      if (of !== `${name}_bucket`) continue;
      const limit = labels.le === '+Inf' ? Infinity : Number(labels.le);
      buckets.set(limit, (buckets.get(limit) ?? 0) + value);
    }
    const sorted = [...buckets].sort(([one], [other]) => one - other);
    const rank = share * (sorted.at(-1)?.[1] ?? 0);
    let [from, below] = [0, 0];
    for (const [limit, count] of sorted) {
      if (count >= rank)
        return limit === Infinity
          ? from
          : from + ((limit - from) * (rank - below)) / (count - below);
      [from, below] = [limit, count];
    }
    return NaN;
  }
}

export async function readMetrics(url: string): Promise<Metrics> {
  return new Metrics(await (await fetch(url)).text());
}

function sampleOf(line: string): readonly Sample[] {
  const parts = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
  if (parts === null) return [];
  const pairs = [...(parts[2] ?? '').matchAll(/(\w+)="([^"]*)"/g)];
  const labels = Object.fromEntries(pairs.map(([, key, value]) => [key, value]));
  return [{ name: parts[1]!, labels, value: Number(parts[3]) }];
}
