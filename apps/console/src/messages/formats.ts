/** Numbers, dates, sizes and durations in one language. */
export class Formats {
  readonly #tag: string;

  /** @param tag the language, such as `de-AT` */
  constructor(tag: string) {
    this.#tag = tag;
  }

  number(value: number): string {
    return new Intl.NumberFormat(this.#tag).format(value);
  }

  /** A large number in little room, such as 12K. */
  compact(value: number): string {
    return new Intl.NumberFormat(this.#tag, { notation: 'compact' }).format(value);
  }

  /** A similarity or confidence with two decimals, such as 0.83. */
  score(value: number): string {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    return new Intl.NumberFormat(this.#tag, digits).format(value);
  }

  percent(share: number): string {
    return new Intl.NumberFormat(this.#tag, { style: 'percent' }).format(share);
  }

  date(time: string | Date): string {
    return new Intl.DateTimeFormat(this.#tag, { dateStyle: 'medium' }).format(new Date(time));
  }

  /** A calendar day such as `2026-11-29`, which is the same day in all time zones. */
  day(date: string): string {
    const style = { dateStyle: 'medium', timeZone: 'UTC' } as const;
    return new Intl.DateTimeFormat(this.#tag, style).format(new Date(date));
  }

  dateTime(time: string | Date): string {
    const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
    return new Intl.DateTimeFormat(this.#tag, style).format(new Date(time));
  }

  month(time: string | Date): string {
    const style = { year: 'numeric', month: 'long' } as const;
    return new Intl.DateTimeFormat(this.#tag, style).format(new Date(time));
  }

  /** A size in bytes with a decimal unit, such as 1.2 MB. */
  bytes(size: number): string {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
    const power = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), units.length - 1);
    return new Intl.NumberFormat(this.#tag, {
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
    return new Intl.NumberFormat(this.#tag, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: 0,
    }).format(duration / size);
  }

  /** The form of a text for a number: languages have different forms for one and for many. */
  plural(count: number, forms: { readonly one: string; readonly other: string }): string {
    return new Intl.PluralRules(this.#tag).select(count) === 'one' ? forms.one : forms.other;
  }

  list(items: readonly string[]): string {
    return new Intl.ListFormat(this.#tag).format(items);
  }
}
