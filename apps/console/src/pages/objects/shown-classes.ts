import type { OperationBody } from '../../client/operations.ts';
import type { ObjectsSearch } from './objects-search.ts';

export type ObjectClass = OperationBody<'listObjectClasses'>['items'][number];

/** The classes whose names contain the text, in the chosen order. They arrive in the order of their names. */
export function shownClasses(
  classes: readonly ObjectClass[],
  { q = '', sort }: ObjectsSearch,
): readonly ObjectClass[] {
  const text = q.trim().toLocaleLowerCase();
  const found = classes.filter(({ class_name: name }) => name.toLocaleLowerCase().includes(text));
  if (sort === 'name') return found;
  return found.toSorted((a, b) => b.detection_count - a.detection_count);
}
