import { EndedBy } from '@sightline/contracts/cluster/fetch-end';
import { isFailureReason, type FailureReason, type Failure } from '../plan/failures.ts';
import { fromTime } from '../plan/time.ts';
import type { ContainerStatus, Pod, Terminated, Volume } from './kube-kinds.ts';

/**
 * How long the mounting of volumes may take, in ms. After it, a Secret, a ConfigMap or a claim is assumed to be
 * missing.
 */
const VOLUMES_MS = 60_000;

/** The kubelet's reasons for an image that it cannot pull. */
const IMAGE_REASONS = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
];

/**
 * The failure that keeps a pod from running, as the scheduler, the kubelet or the program reports it; null if there
 * is none.
 */
export function podFailure(pod: Pod, now: number): Failure | null {
  const { name } = pod.metadata;
  const found =
    schedulingFailure(pod) ??
    // An eviction comes first, because the program of an evicted pod only reports that it was stopped.
    evictionFailure(pod) ??
    containerFailure(pod) ??
    volumeFailure(pod, now);
  return found === null ? null : { ...found, pod: name };
}

/** Whether a pod has ended permanently. Its object remains, and another pod takes its place. */
export function isOver({ status }: Pod): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

/** The reason why a program ended: its own termination message if that is JSON, else the kubelet's reason. */
export function exitFailure({ exitCode, reason, message = '' }: Terminated): Failure {
  const said = saidByProgram(message);
  if (said !== null) return said;
  if (reason === 'OOMKilled') {
    return { reason: 'OutOfMemory', message: 'The container needed more memory than its limit.' };
  }
  return { reason: 'LoadFailed', message: lastWords(message) ?? `It ended with ${exitCode}.` };
}

/**
 * Lines of Node's output around an error's message: indented frames and members, the place of the throw, and Node's
 * version.
 */
const NOT_SAID = /^\s|^$|^[{}]|\}$|^Node\.js v|^(file|node):\S+$/;

/**
 * The last error in the end of a program's log. The kubelet keeps 2 KiB, so the first line may be cut off. Null if
 * there is none.
 */
function lastWords(log: string): string | null {
  const lines = log.trimEnd().split('\n');
  return lines.map((line) => saidIn(line)).findLast((said) => said !== null) ?? null;
}

function saidIn(line: string): string | null {
  const logged = parseObject(line);
  if (logged === null) return NOT_SAID.test(line) || line.includes('file:///') ? null : line.trim();
  const { level, err, msg } = logged as Logged;
  if (level !== 'error' && level !== 'fatal') return null;
  return [err?.message, msg].find((text) => typeof text === 'string') ?? null;
}

/** The fields of this product's log lines that the operator reads. */
interface Logged {
  readonly level?: unknown;
  readonly err?: { readonly message?: unknown } | null;
  readonly msg?: unknown;
}

/** A failure that a program of this product wrote into its termination message; null if the text is none. */
function saidByProgram(text: string): Failure | null {
  const { data } = EndedBy.safeParse(parseObject(text));
  return data === undefined ? null : toFailure(data);
}

/** The failure that a program reports; null if this operator does not know the reason. */
export function toFailure({ reason, message }: EndedBy): Failure | null {
  return isFailureReason(reason) ? { reason, message } : null;
}

/** @returns null if a text is no JSON object */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return value as Record<string, unknown>;
  } catch {
    return null;
  }
}

function schedulingFailure({ status }: Pod): Failure | null {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False') return null;
  return { reason: 'Unschedulable', message: scheduled.message ?? 'No node takes the pod.' };
}

function containerFailure({ status }: Pod): Failure | null {
  for (const container of status?.containerStatuses ?? []) {
    const failure = waitingFailure(container);
    if (failure !== null) return failure;
  }
  return null;
}

function waitingFailure(container: ContainerStatus): Failure | null {
  const { reason = '', message = reason } = container.state?.waiting ?? {};
  const known = reasonOfWaiting(reason);
  if (known !== null) return { reason: known, message };
  const ended = endOf(container, reason);
  return ended === undefined || ended.exitCode === 0 ? null : exitFailure(ended);
}

/** The last end of a container that waits for a restart or is not restarted. */
function endOf({ state, lastState }: ContainerStatus, waitsFor: string): Terminated | undefined {
  return waitsFor === 'CrashLoopBackOff' ? lastState?.terminated : state?.terminated;
}

function reasonOfWaiting(reason: string): FailureReason | null {
  if (IMAGE_REASONS.includes(reason)) return 'ImageUnavailable';
  return reason === 'CreateContainerConfigError' ? 'SecretMissing' : null;
}

function evictionFailure({ status }: Pod): Failure | null {
  if (status?.reason !== 'Evicted') return null;
  const message = status.message ?? 'The node has evicted the pod.';
  return { reason: message.includes('resource: memory') ? 'OutOfMemory' : 'NoSpace', message };
}

/** The kubelet reports volumes that it cannot mount only by Events, which the operator may not read. */
function volumeFailure({ spec, status }: Pod, now: number): Failure | null {
  const prepared = status?.conditions?.find(({ type }) => type === 'PodReadyToStartContainers');
  if (prepared?.status !== 'False') return null;
  const since = fromTime(prepared.lastTransitionTime) ?? now;
  if (now < since + VOLUMES_MS) return null;
  const names = (spec?.volumes ?? []).flatMap((volume) => mountedName(volume) ?? []);
  const message = `The pod waits for its volumes. Check that these exist and have all keys: ${names.join(', ')}. \`kubectl describe pod\` names the missing one.`;
  return { reason: 'SecretMissing', message };
}

function mountedName({ secret, configMap, persistentVolumeClaim: claim }: Volume): string | null {
  if (secret !== undefined) return `Secret ${secret.secretName}`;
  if (configMap !== undefined) return `ConfigMap ${configMap.name}`;
  return claim === undefined ? null : `claim ${claim.claimName}`;
}
