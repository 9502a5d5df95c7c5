import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { nameOf } from '../plan/hosts.ts';
import { type Intent, toIntent } from './intent.ts';
import { AUTOSCALERS } from './kinds.ts';
import { childName, inferenceLabels } from '../plan/labels.ts';

type Autoscaling = NonNullable<InferenceModel['spec']['autoscaling']>;

const QUEUE_WAIT_METRIC = 'sightline_inference_queue_wait_seconds_average';

/**
 * The autoscaler of an InferenceModel. It sets the model's number of replicas, and the operator copies this number to
 * the Deployment.
 */
export function buildAutoscaler(host: InferenceModel, autoscaling: Autoscaling): Intent {
  const { apiVersion, kind } = host;
  const name = nameOf(host);
  const { minReplicas, maxReplicas, scaleDownStabilizationSeconds } = autoscaling;
  const spec = {
    scaleTargetRef: { apiVersion, kind, name },
    minReplicas,
    maxReplicas,
    metrics: metricsOf(autoscaling),
    behavior: { scaleDown: { stabilizationWindowSeconds: scaleDownStabilizationSeconds } },
  };
  const labels = inferenceLabels(name);
  return toIntent({
    resource: AUTOSCALERS,
    model: host,
    name: childName(name),
    labels,
    body: { spec },
  });
}

function metricsOf({ cpuUtilization, queueWait }: Autoscaling): readonly object[] {
  const metrics: object[] = [];
  if (cpuUtilization !== undefined) {
    const target = { type: 'Utilization', averageUtilization: cpuUtilization };
    metrics.push({ type: 'Resource', resource: { name: 'cpu', target } });
  }
  if (queueWait !== undefined) {
    const target = { type: 'AverageValue', averageValue: queueWait };
    metrics.push({ type: 'Pods', pods: { metric: { name: QUEUE_WAIT_METRIC }, target } });
  }
  return metrics;
}
