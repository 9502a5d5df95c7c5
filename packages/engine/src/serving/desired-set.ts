import type { NamedModels } from '@sightline/core/models/analyzer-status';
import type { ExecutionProvider } from '@sightline/core/models/model';

/** Models that are to be loaded together, and the device on which they are to run. */
export interface DesiredSet extends NamedModels {
  readonly provider: 'auto' | ExecutionProvider;
}

/** The revisions of the named models; an absent slot has none. */
export function revisionsOf({ face, object }: NamedModels): readonly string[] {
  return [face, object].filter((revision) => revision !== undefined);
}

/** Whether all named models are among these. */
export function hasAll(
  models: readonly { readonly revision: string }[],
  named: NamedModels,
): boolean {
  return revisionsOf(named).every((revision) =>
    models.some((model) => model.revision === revision),
  );
}

export function isSameSet(one: DesiredSet, other: DesiredSet): boolean {
  return one.provider === other.provider && one.face === other.face && one.object === other.object;
}
