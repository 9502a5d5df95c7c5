import type { RequestsObserver } from '@sightline/kube/kube-client';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { addGauge, type GaugeOptions, type Sample } from '@sightline/platform/metrics/add-gauge';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Followed, Watched } from './observe/watched.ts';
import type { Condition } from './plan/conditions.ts';
import type { ControllerObserver, QueueLoad } from './runtime/controller.ts';

const RECONCILE_SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60];
const SWITCH_SECONDS = [5, 10, 30, 60, 300, 1800, 7200];

/** The operator's metrics. General metrics have the names of controller-runtime, so that common dashboards work. */
export interface OperatorMetrics {
  readonly observerOf: (controller: string) => ControllerObserver;
  readonly leads: (lease: string, isLeader: boolean) => void;
  readonly modelFailed: (reason: string) => void;
  readonly switched: (seconds: number) => void;
  readonly stalled: () => void;
}

export interface OperatorMetricsDeps {
  readonly registry: MetricsRegistry;
  /** The watched objects; null while another replica leads. */
  readonly watched: () => Pick<Watched, 'models' | 'routes' | 'failing'> | null;
  /** The loads of the queues, by controller. */
  readonly loads: () => Readonly<Record<string, QueueLoad>>;
}

export function createOperatorMetrics(deps: OperatorMetricsDeps): OperatorMetrics {
  const { registry } = deps;
  const registers = [registry];
  collectObjects(deps);
  const leader = new Gauge({
    name: 'leader_election_master_status',
    help: 'Whether this replica is the leader: 1 or 0.',
    labelNames: ['name'],
    registers,
  });
  return {
    ...switchMetrics(registry),
    observerOf: observers(registry),
    leads: (lease, isLeader) => leader.set({ name: lease }, Number(isLeader)),
  };
}

/** Counts a client's requests to the API server. */
export function createRequestMetrics(registry: MetricsRegistry): RequestsObserver {
  const requests = new Counter({
    name: 'rest_client_requests_total',
    help: 'Requests to the API server, by method and status code.',
    labelNames: ['method', 'code'],
    registers: [registry],
  });
  return ({ method, code }) => requests.inc({ method, code });
}

function observers(registry: MetricsRegistry): OperatorMetrics['observerOf'] {
  const registers = [registry];
  const results = new Counter({
    name: 'controller_runtime_reconcile_total',
    help: 'Reconciled objects, by result.',
    labelNames: ['controller', 'result'],
    registers,
  });
  const errors = new Counter({
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Failed reconciliations.',
    labelNames: ['controller'],
    registers,
  });
  const times = new Histogram({
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'Seconds that a reconciliation took.',
    labelNames: ['controller'],
    buckets: RECONCILE_SECONDS,
    registers,
  });
  const adds = new Counter({
    name: 'workqueue_adds_total',
    help: 'Objects that were added to the work queue.',
    labelNames: ['name'],
    registers,
  });
  const retries = new Counter({
    name: 'workqueue_retries_total',
    help: 'Objects that were added to the work queue again after a failure.',
    labelNames: ['name'],
    registers,
  });
  const waits = new Histogram({
    name: 'workqueue_queue_duration_seconds',
    help: 'Seconds that an object waited in the work queue.',
    labelNames: ['name'],
    buckets: RECONCILE_SECONDS,
    registers,
  });
  const works = new Histogram({
    name: 'workqueue_work_duration_seconds',
    help: 'Seconds that a worker spent on an object.',
    labelNames: ['name'],
    buckets: RECONCILE_SECONDS,
    registers,
  });
  return (controller) => ({
    added: () => adds.inc({ name: controller }),
    taken: (seconds) => waits.observe({ name: controller }, seconds),
    retried: () => retries.inc({ name: controller }),
    reconciled(result, seconds) {
      results.inc({ controller, result });
      if (result === 'error') errors.inc({ controller });
      times.observe({ controller }, seconds);
      works.observe({ name: controller }, seconds);
    },
  });
}

function switchMetrics(registry: MetricsRegistry) {
  const registers = [registry];
  const failures = new Counter({
    name: 'sightline_model_failures_total',
    help: 'Failures of models, by reason; repetitions for the same reason count once.',
    labelNames: ['reason'],
    registers,
  });
  const switches = new Counter({
    name: 'sightline_switches_total',
    help: 'Switches of models, by result.',
    labelNames: ['result'],
    registers,
  });
  const times = new Histogram({
    name: 'sightline_switch_duration_seconds',
    help: 'Seconds from a requested switch until the model serves.',
    buckets: SWITCH_SECONDS,
    registers,
  });
  return {
    modelFailed: (reason: string) => failures.inc({ reason }),
    switched(seconds: number) {
      switches.inc({ result: 'success' });
      times.observe(seconds);
    },
    stalled: () => switches.inc({ result: 'stalled' }),
  };
}

/** Adds the gauges that show the objects of the cluster and the queues. */
function collectObjects({ registry, watched, loads }: OperatorMetricsDeps): void {
  const models = () => watched()?.models(null) ?? [];
  const routes = () => watched()?.routes(null) ?? [];
  const ofQueues = (valueOf: (load: QueueLoad) => number) =>
    Object.entries(loads()).map(([name, load]) => ({ labels: { name }, value: valueOf(load) }));
  addGauge(registry, WAITING, () => ofQueues(({ depth }) => depth));
  addGauge(registry, UNFINISHED, () =>
    ofQueues(({ unfinished }) => unfinished.reduce((all, seconds) => all + seconds, 0)),
  );
  addGauge(registry, LONGEST, () => ofQueues(({ unfinished }) => Math.max(0, ...unfinished)));
  addGauge(registry, STATES, () => models().flatMap(stateSamples));
  addGauge(registry, HOLDING, () => models().flatMap(podSamples));
  addGauge(registry, FETCHED, () => models().flatMap(fetchSamples));
  addGauge(registry, PHASES, () => routes().flatMap(phaseSamples));
  addGauge(registry, MODEL_CONDITIONS, () => models().flatMap(modelConditionSamples));
  addGauge(registry, ROUTE_CONDITIONS, () => routes().flatMap(routeConditionSamples));
  addGauge(registry, FAILING, () => (watched()?.failing() ?? []).map(failingSample));
}

const WAITING: GaugeOptions = {
  name: 'workqueue_depth',
  help: 'Objects that wait in the work queue.',
  labelNames: ['name'],
};
const UNFINISHED: GaugeOptions = {
  name: 'workqueue_unfinished_work_seconds',
  help: 'Seconds that workers have spent on their current objects, in total; the value grows while a worker hangs.',
  labelNames: ['name'],
};
const LONGEST: GaugeOptions = {
  name: 'workqueue_longest_running_processor_seconds',
  help: 'Seconds of the longest reconciliation in progress.',
  labelNames: ['name'],
};
const STATES: GaugeOptions = {
  name: 'sightline_model_state',
  help: 'InferenceModels by state: 1 for the current state.',
  labelNames: ['namespace', 'model', 'state'],
};
const HOLDING: GaugeOptions = {
  name: 'sightline_model_pods',
  help: 'Pods that should load a model (desired), that have loaded it (warm), and that have its files (on_disk).',
  labelNames: ['namespace', 'model', 'state'],
};
const FETCHED: GaugeOptions = {
  name: 'sightline_model_fetch_bytes',
  help: 'Bytes that the fetch in progress has received.',
  labelNames: ['namespace', 'model'],
};
const PHASES: GaugeOptions = {
  name: 'sightline_route_phase',
  help: 'InferenceRoutes by phase: 1 for the current phase.',
  labelNames: ['namespace', 'route', 'phase'],
};
const MODEL_CONDITIONS: GaugeOptions = {
  name: 'sightline_model_condition',
  help: 'Conditions Ready and Stalled of InferenceModels: 1 for the current status.',
  labelNames: ['namespace', 'model', 'type', 'status'],
};
const ROUTE_CONDITIONS: GaugeOptions = {
  name: 'sightline_route_condition',
  help: 'Conditions Ready and Stalled of InferenceRoutes: 1 for the current status.',
  labelNames: ['namespace', 'route', 'type', 'status'],
};
const SHOWN_CONDITIONS: readonly string[] = ['Ready', 'Stalled'];
const FAILING: GaugeOptions = {
  name: 'sightline_operator_watch_failing',
  help: 'Kinds of objects that the operator currently cannot list or watch, each with the value 1, by namespace (empty for all namespaces).',
  labelNames: ['namespace', 'resource'],
};

function failingSample({ namespace, resource }: Followed): Sample {
  return { labels: { namespace, resource: resource.plural }, value: 1 };
}

function stateSamples({ metadata, status }: InferenceModel): readonly Sample[] {
  const { name: model, namespace = '' } = metadata;
  if (status?.state === undefined) return [];
  return [{ labels: { namespace, model, state: status.state }, value: 1 }];
}

function podSamples({ metadata, status }: InferenceModel): readonly Sample[] {
  const { name: model, namespace = '' } = metadata;
  const { desired = 0, warm = 0, onDisk = 0 } = status?.pods ?? {};
  return Object.entries({ desired, warm, on_disk: onDisk }).map(([state, value]) => ({
    labels: { namespace, model, state },
    value,
  }));
}

function fetchSamples({ metadata, status }: InferenceModel): readonly Sample[] {
  const { name: model, namespace = '' } = metadata;
  const { bytes } = status?.fetch ?? {};
  return bytes === undefined ? [] : [{ labels: { namespace, model }, value: bytes }];
}

function phaseSamples({ metadata, status }: InferenceRoute): readonly Sample[] {
  const { name: route, namespace = '' } = metadata;
  if (status?.phase === undefined) return [];
  return [{ labels: { namespace, route, phase: status.phase }, value: 1 }];
}

function modelConditionSamples({ metadata, status }: InferenceModel): readonly Sample[] {
  const { name: model, namespace = '' } = metadata;
  return conditionSamples(status?.conditions, { namespace, model });
}

function routeConditionSamples({ metadata, status }: InferenceRoute): readonly Sample[] {
  const { name: route, namespace = '' } = metadata;
  return conditionSamples(status?.conditions, { namespace, route });
}

function conditionSamples(
  conditions: readonly Condition[] = [],
  labels: Readonly<Record<string, string>>,
): readonly Sample[] {
  return conditions
    .filter(({ type }) => SHOWN_CONDITIONS.includes(type))
    .map(({ type, status }) => ({ labels: { ...labels, type, status }, value: 1 }));
}
