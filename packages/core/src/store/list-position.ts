/** A place in a list that is ordered by one value, and by id among equal values, in the same direction. */
export interface ListPosition<Value> {
  readonly value: Value;
  readonly id: number;
}
