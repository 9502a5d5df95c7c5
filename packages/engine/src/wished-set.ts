import type { NamedModels } from '@sightline/core/models/analyzer-status';
import type { ActiveModel, ExecutionProvider } from '@sightline/core/models/model';

/** Models that are to be held together, and where they are to run. */
export interface WishedSet extends NamedModels {
  readonly provider: 'auto' | ExecutionProvider;
}

/** The revisions that are named; none of a task that is not. */
export function revisionsOf({ face, object }: NamedModels): readonly string[] {
  return [face, object].filter((revision) => revision !== undefined);
}

/** Whether all named models are among these. */
export function hasAll(models: readonly ActiveModel[], named: NamedModels): boolean {
  return revisionsOf(named).every((revision) =>
    models.some((model) => model.revision === revision),
  );
}

export function isSameWish(one: WishedSet, other: WishedSet): boolean {
  return one.provider === other.provider && one.face === other.face && one.object === other.object;
}
