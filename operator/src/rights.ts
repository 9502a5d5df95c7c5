import type { KubeClient } from '@sightline/kube/kube-client';
import type { KubeObject, Resource } from '@sightline/kube/kube-object';
import { INFERENCE_MODELS } from '@sightline/contracts/cluster/inference-model';
import { INFERENCE_ROUTES } from '@sightline/contracts/cluster/inference-route';
import { FIELD_MANAGER } from './apply/field-manager.ts';
import { CHILD_KINDS, EVENTS, JOBS, PODS } from './children/kinds.ts';
import { LEASES } from './runtime/kube-leases.ts';

/** A right that the operator needs, as an access review describes it. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** The name of the only object; absent for all objects. */
  readonly name?: string;
  /** The namespace; empty for all namespaces. */
  readonly namespace: string;
}

export interface RightsOptions {
  /** The watched namespaces; null for all. */
  readonly namespaces: readonly string[] | null;
  readonly lease: { readonly namespace: string; readonly name: string };
}

/** The verbs in each watched namespace. Server-side apply needs `create` for objects that do not exist, and `patch`. */
const IN_NAMESPACES: readonly (readonly [Resource, readonly string[], subresource?: string])[] = [
  [INFERENCE_MODELS, ['list', 'watch']],
  [INFERENCE_ROUTES, ['list', 'watch']],
  [INFERENCE_MODELS, ['patch'], 'status'],
  [INFERENCE_ROUTES, ['patch'], 'status'],
  ...CHILD_KINDS.map(
    (kind) =>
      [kind, ['list', 'watch', 'create', 'delete', kind === JOBS ? 'get' : 'patch']] as const,
  ),
  [PODS, ['list', 'watch', 'patch']],
  [EVENTS, ['create']],
];

/** Every right that the operator needs, and no other. */
export function neededRights({ namespaces, lease: { namespace, name } }: RightsOptions): Right[] {
  const lease = { ...idOf(LEASES), namespace };
  return [
    // RBAC cannot restrict the creation of an object to a name.
    { ...lease, verb: 'create' },
    ...['get', 'update'].map((verb) => ({ ...lease, verb, name })),
    ...(namespaces ?? ['']).flatMap((watched) =>
      IN_NAMESPACES.flatMap(([kind, verbs, subresource]) =>
        verbs.map((verb) => ({
          ...idOf(kind),
          ...(subresource !== undefined && { subresource }),
          namespace: watched,
          verb,
        })),
      ),
    ),
  ];
}

function idOf({ group, plural: resource }: Resource): Pick<Right, 'group' | 'resource'> {
  return { group, resource };
}

const REVIEWS: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
};

interface Review extends KubeObject {
  readonly status?: { readonly allowed?: boolean };
}

/** The needed rights that the process lacks. @throws KubeRefusal, KubeUnavailable, the signal's reason */
export async function missingRights(
  client: Pick<KubeClient, 'create'>,
  needed: readonly Right[],
  signal: AbortSignal,
): Promise<readonly Right[]> {
  const allowed = await Promise.all(
    needed.map(async (resourceAttributes) => {
      const { group, version, kind } = REVIEWS;
      const object = { apiVersion: `${group}/${version}`, kind, spec: { resourceAttributes } };
      const options = { object, fieldManager: FIELD_MANAGER };
      const { status } = await client.create<Review>({ resource: REVIEWS }, options, signal);
      return status?.allowed === true;
    }),
  );
  return needed.filter((_, at) => !allowed[at]);
}

/** For example `patch deployments.apps in all namespaces`. */
export function nameOfRight({
  verb,
  group,
  resource,
  subresource,
  name,
  namespace,
}: Right): string {
  const kind = [resource, group].filter((part) => part !== '').join('.');
  const part = subresource === undefined ? '' : `/${subresource}`;
  const object = name === undefined ? '' : ` ${name}`;
  const place = namespace === '' ? 'all namespaces' : `the namespace ${namespace}`;
  return `${verb} ${kind}${part}${object} in ${place}`;
}
