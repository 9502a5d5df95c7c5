import { isDeepStrictEqual } from 'node:util';
import type { KubeClient } from '@sightline/kube/kube-client';
import { KubeRefusal } from '@sightline/kube/kube-errors';
import type { KubeObject, Resource } from '@sightline/kube/kube-object';
import { FIELD_MANAGER } from './field-manager.ts';
import type { Written } from '@sightline/kube/written';

interface WithStatus extends KubeObject {
  readonly status?: object;
}

export interface StatusWriterDeps {
  readonly client: Pick<KubeClient, 'apply'>;
  readonly written: Written;
  /** @throws LeadershipLost if another replica may lead by now, so that this process must not write */
  readonly requireLeader: () => void;
}

export interface StatusWrite<T extends WithStatus> {
  readonly resource: Resource;
  readonly object: T;
  /** The fields of the status that the operator writes. */
  readonly status: object;
  /**
   * The fields and conditions that other clients write. They are ignored when the old status is compared with
   * `status`.
   */
  readonly others?: { readonly fields: readonly string[]; readonly conditions: readonly string[] };
}

/**
 * Writes the operator's fields of a status if they differ. Writes nothing if the object was changed, deleted or
 * replaced since it was read: the watch then leads to another reconciliation.
 *
 * @returns whether the status was written
 * @throws LeadershipLost, KubeRefusal, KubeUnavailable, the signal's reason
 */
export async function writeStatus<T extends WithStatus>(
  { client, written, requireLeader }: StatusWriterDeps,
  { resource, object, status, others }: StatusWrite<T>,
  signal: AbortSignal,
): Promise<boolean> {
  const own = ownPart(object.status ?? {}, others);
  if (isDeepStrictEqual(normal(own), normal(status))) return false;
  requireLeader();
  const { apiVersion, kind } = object;
  const { name, namespace = '', resourceVersion } = object.metadata;
  const metadata = { name, namespace, resourceVersion };
  const applied = { apiVersion, kind, metadata, status };
  const options = { object: applied, fieldManager: FIELD_MANAGER, force: true } as const;
  const ref = { resource, name, namespace };
  try {
    const stored = await client.apply(ref, { ...options, subresource: 'status' }, signal);
    written.remember(resource, stored);
    return true;
  } catch (error) {
    if (isOutdated(error)) return false;
    throw error;
  }
}

/**
 * Whether the object was changed or deleted since it was read. A conflict means another `resourceVersion`, because a
 * forced apply never conflicts with other field managers.
 */
function isOutdated(error: unknown): boolean {
  return error instanceof KubeRefusal && (error.isNotFound || error.isConflict);
}

function ownPart(status: object, others: StatusWrite<WithStatus>['others']): object {
  const { fields = [], conditions = [] } = others ?? {};
  const own = Object.entries(status).filter(([field]) => !fields.includes(field));
  return Object.fromEntries(
    own.map(([field, value]) =>
      field === 'conditions'
        ? [
            field,
            (value as readonly { type: string }[]).filter(({ type }) => !conditions.includes(type)),
          ]
        : [field, value as unknown],
    ),
  );
}

/**
 * Makes statuses comparable. The conditions are keyed by type, because the server may keep them in another order than
 * the operator writes them.
 */
function normal(status: object): unknown {
  const { conditions = [], ...rest } = status as {
    readonly conditions?: readonly { readonly type: string }[];
  };
  const byType = Object.fromEntries(conditions.map((condition) => [condition.type, condition]));
  return JSON.parse(JSON.stringify({ ...rest, conditions: byType })) as unknown;
}
