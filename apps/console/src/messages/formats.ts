/** Numbers, dates, sizes and durations in one language. */
export class Formats {
  readonly #tag: string;
  /** Making a formatter takes longer than rendering the cell that needs it. */
  readonly #kept = new Map<string, unknown>();

  /** @param tag the language, such as `de-AT` */
  constructor(tag: string) {
    this.#tag = tag;
  }

  number(value: number): string {
    return this.#numbers({}).format(value);
  }

  /** A large number in little room, such as 12K. */
  compact(value: number): string {
    return this.#numbers({ notation: 'compact' }).format(value);
  }

  /** A similarity or confidence with two decimals, such as 0.83. */
  score(value: number): string {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    return this.#numbers(digits).format(value);
  }

  percent(share: number): string {
    return this.#numbers({ style: 'percent' }).format(share);
  }

  date(time: string | Date): string {
    return this.#dates({ dateStyle: 'medium' }).format(new Date(time));
  }

  /** A calendar day such as `2026-11-29`, which is the same day in all time zones. */
  day(date: string): string {
    const style = { dateStyle: 'medium', timeZone: 'UTC' } as const;
    return this.#dates(style).format(new Date(date));
  }

  dateTime(time: string | Date): string {
    const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
    return this.#dates(style).format(new Date(time));
  }

  month(time: string | Date): string {
    const style = { year: 'numeric', month: 'long' } as const;
    return this.#dates(style).format(new Date(time));
  }

  /** A size in bytes with a decimal unit, such as 1.2 MB. */
  bytes(size: number): string {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
    const power = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), units.length - 1);
    return this.#numbers({
      style: 'unit',
      unit: units[power]!,
      unitDisplay: 'short',
      maximumFractionDigits: power === 0 ? 0 : 1,
    }).format(size / 1000 ** power);
  }

  /** A duration in seconds, such as 2 min. */
  seconds(duration: number): string {
    const [unit, size] =
      duration < 90
        ? (['second', 1] as const)
        : duration < 5400
          ? (['minute', 60] as const)
          : (['hour', 3600] as const);
    return this.#numbers({
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: 0,
    }).format(duration / size);
  }

  /** The form of a text for a number: languages have different forms for one and for many. */
  plural(count: number, forms: { readonly one: string; readonly other: string }): string {
    return this.#keep('plural', () => new Intl.PluralRules(this.#tag)).select(count) === 'one'
      ? forms.one
      : forms.other;
  }

  list(items: readonly string[]): string {
    return this.#keep('list', () => new Intl.ListFormat(this.#tag)).format(items);
  }

  #numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    const name = `number ${JSON.stringify(options)}`;
    return this.#keep(name, () => new Intl.NumberFormat(this.#tag, options));
  }

  #dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const name = `date ${JSON.stringify(options)}`;
    return this.#keep(name, () => new Intl.DateTimeFormat(this.#tag, options));
  }

  #keep<T>(name: string, make: () => T): T {
    const kept = this.#kept.get(name) as T | undefined;
    if (kept !== undefined) return kept;
    const made = make();
    this.#kept.set(name, made);
    return made;
  }
}

const all = new Map<string, Formats>();

/** Returns the formats of a language: the same object each time. */
export function formatsIn(tag: string): Formats {
  const known = all.get(tag);
  if (known !== undefined) return known;
  const formats = new Formats(tag);
  all.set(tag, formats);
  return formats;
}
