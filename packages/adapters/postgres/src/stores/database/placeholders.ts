/** Collects the values of a statement whose text is put together, and returns a placeholder for each. */
export class Placeholders {
  readonly values: unknown[];

  /** @param values the values whose placeholders the text has already */
  constructor(values: readonly unknown[] = []) {
    this.values = [...values];
  }

  /** @param type the Postgres type, which is needed where the text does not imply it */
  of(value: unknown, type?: string): string {
    this.values.push(value);
    const placeholder = `$${this.values.length}`;
    return type === undefined ? placeholder : `${placeholder}::${type}`;
  }
}
