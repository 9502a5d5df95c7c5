import type { Change } from '../../live/follow-changes.ts';

export const ENTITIES = [
  'detection',
  'identity',
] as const satisfies readonly Change['entity_type'][];

export const ACTIONS = [
  'created',
  'relabeled',
  'updated',
  'merged',
  'deleted',
] as const satisfies readonly Change['action'][];

/** The state of the page Changes, which is in its address. */
export interface ChangesSearch {
  readonly entity?: Change['entity_type'] | undefined;
  readonly action?: Change['action'] | undefined;
}

/** All members are present, because the router keeps parameters that are absent here. */
export function parseChangesSearch({ entity, action }: Record<string, unknown>): ChangesSearch {
  return {
    entity: ENTITIES.find((each) => each === entity),
    action: ACTIONS.find((each) => each === action),
  };
}

/** Whether the filter admits a change. */
export function isShown(change: Change, { entity, action }: ChangesSearch): boolean {
  return (
    (entity === undefined || change.entity_type === entity) &&
    (action === undefined || change.action === action)
  );
}
