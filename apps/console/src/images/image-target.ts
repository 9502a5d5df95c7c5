import type { OperationInput } from '../client/operations.ts';

/** The filters of `GET /api/images`. */
export type ImagesFilter = Omit<
  NonNullable<OperationInput<'listImages'>['query']>,
  'sort' | 'cursor' | 'limit'
>;

/** The images that a decision is about: single ones, or all that match a filter. */
export type ImageTarget =
  | {
      readonly kind: 'some';
      readonly ids: readonly number[];
      /** The number of faces and objects in them; null if not all of them are at hand. */
      readonly found: number | null;
    }
  | {
      readonly kind: 'all';
      readonly where: ImagesFilter;
      readonly as_of: string;
      readonly except: number[];
    };

/** The number of faces and objects in single images; null if one of them is not among the rows at hand. */
export function foundIn(
  ids: ReadonlySet<number>,
  rowsAtHand: Iterable<{ readonly id: number; readonly detection_count: number }>,
): number | null {
  const counts = new Map([...rowsAtHand].map(({ id, detection_count: count }) => [id, count]));
  let total = 0;
  for (const id of ids) {
    const count = counts.get(id);
    if (count === undefined) return null;
    total += count;
  }
  return total;
}
