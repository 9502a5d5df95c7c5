/** The values of a record that people decide, by their names. */
export type Values = Readonly<Record<string, unknown>>;

export interface ChangedValue {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The values that differ. A record that was created or deleted has none on one side, so nothing is compared. */
export function changedValues(
  before: Values | null,
  after: Values | null,
): readonly ChangedValue[] {
  if (before === null || after === null) return [];
  return Object.keys(after)
    .map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null }))
    .filter((value) => value.before !== value.after);
}
