import { ActivationDeclared } from '@sightline/core/models/model-errors';
import type { ModelDeclarations } from '@sightline/core/models/declared-models';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import type { InferenceSettings } from '@sightline/platform/config/read-inference-settings';
import { VARIABLES } from '@sightline/platform/config/variable-groups';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Logger } from '@sightline/platform/logging/logger';
import { clusterControl, type ModelControl } from './model-control.ts';

type ClusterRoutes = Exclude<InferenceSettings['routes'], 'database'>;

/**
 * Opens the custom resources of this pod's namespace. Sends no request yet, and loads the adapter on demand.
 *
 * @param routes `declared` if this process must not change custom resources; it needs no token in that case
 * @throws StartError outside a cluster, and in a pod without a token
 */
export async function openClusterControl(
  routes: ClusterRoutes,
  logger: Logger,
): Promise<ModelControl & AsyncDisposable> {
  const [
    { KubeClient },
    { podConnection, podNamespace },
    { KubeRolloutSource },
    { KubeModelDeclarations },
  ] = await Promise.all([
    import('@sightline/kube/kube-client'),
    import('@sightline/kube/kube-connection'),
    import('@sightline/models-kubernetes/kube-rollout-source'),
    import('@sightline/models-kubernetes/kube-model-declarations'),
  ]);
  try {
    const connection = await podConnection(readEnvironment());
    if (connection === null) throw new StartError(NO_CLUSTER);
    const client = new KubeClient(connection);
    const namespace = await podNamespace();
    const failed = (error: unknown) =>
      logger.warn({ err: error }, 'watching the models and routes of the cluster failed');
    const source = new KubeRolloutSource({ client, namespace, failed });
    const declarations =
      routes === 'declared' ? FIXED : new KubeModelDeclarations({ client, namespace });
    return {
      ...clusterControl(source, declarations),
      async [Symbol.asyncDispose]() {
        await source[Symbol.asyncDispose]();
        await client[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (routes === 'declared') return WITHOUT_TOKEN;
    throw new StartError(
      'The service account token of this pod for the Kubernetes API cannot be read.',
      { cause: error },
    );
  }
}

const NO_CLUSTER = `${VARIABLES.routes.name} works only in pods of Kubernetes.`;

const declaredElsewhere = (what: string) =>
  Promise.reject(
    new ActivationDeclared(
      `${what} is declared in the cluster by InferenceRoutes and InferenceModels; change it there.`,
    ),
  );

/** Refuses all changes, for a process that may not write custom resources. */
const FIXED: ModelDeclarations = {
  activate: () => declaredElsewhere('The active model'),
  keep: () => declaredElsewhere('The standby state of a model'),
};

const noToken = () =>
  Promise.reject(
    new StoreUnavailable('This pod has no service account token for the Kubernetes API.'),
  );

/** The model control of API pods that have no token. */
const WITHOUT_TOKEN: ModelControl & AsyncDisposable = {
  ...clusterControl(
    {
      isExclusive: false,
      availableWithinMs: Infinity,
      desired: noToken,
      publish: noToken,
      models: noToken,
      modelsNow: noToken,
    },
    FIXED,
  ),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};
