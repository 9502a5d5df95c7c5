import type { NamedModels } from '@sightline/core/models/analyzer-status';
import type { ExecutionProvider } from '@sightline/core/models/model';

export interface DesiredSet extends NamedModels {
  readonly provider: 'auto' | ExecutionProvider;
}

/** Returns the revisions of the named models. A slot that names no model has no revision. */
export function revisionsOf({ face, object }: NamedModels): readonly string[] {
  return [face, object].filter((revision) => revision !== undefined);
}

/** Returns whether all named models are among these models. */
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
