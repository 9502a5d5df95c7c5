import { randomBytes } from 'node:crypto';
import type { KubeClient } from '@sightline/kube/kube-client';
import { KubeRefusal } from '@sightline/kube/kube-errors';
import type { KubeObject } from '@sightline/kube/kube-object';
import { cutToBytes } from '@sightline/platform/text/cut-to-bytes';
import { EVENTS } from '../children/kinds.ts';
import { FIELD_MANAGER } from './field-manager.ts';

const CONTROLLER = 'sightline.dev/operator';
/** The API server's size limit for the note of an Event, in bytes (`NoteLengthLimit`). */
const MAX_NOTE = 1024;

/** The content of an Event, which reports a change of an object. */
export interface ObjectEvent {
  readonly type: 'Normal' | 'Warning';
  /** The reason as one word. */
  readonly reason: string;
  readonly note: string;
}

export interface EventRecorderDeps {
  readonly client: Pick<KubeClient, 'create'>;
  /** The replica that reports the event. */
  readonly instance: string;
  /** @throws LeadershipLost if another replica may lead by now, so that this process must not write */
  readonly requireLeader: () => void;
  /**
   * Called with the error if an Event could not be stored; the operator only logs it, because nothing depends on
   * Events. Not called if the namespace is being deleted.
   */
  readonly failed: (error: unknown) => void;
}

/** Writes an Event, which `kubectl describe` shows. */
export async function recordEvent(
  { client, instance, requireLeader, failed }: EventRecorderDeps,
  { about, event }: { readonly about: KubeObject; readonly event: ObjectEvent },
  signal: AbortSignal,
): Promise<void> {
  requireLeader();
  const { name, namespace = 'default', uid } = about.metadata;
  const { type, reason, note } = event;
  const object = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: `${name}.${randomBytes(8).toString('hex')}`, namespace },
    eventTime: new Date().toISOString().replace('Z', '000Z'),
    reportingController: CONTROLLER,
    reportingInstance: instance,
    action: 'Reconcile',
    type,
    reason,
    note: cutToBytes(note, MAX_NOTE),
    regarding: { apiVersion: about.apiVersion, kind: about.kind, name, namespace, uid },
  };
  const collection = { resource: EVENTS, namespace };
  try {
    await client.create(collection, { object, fieldManager: FIELD_MANAGER }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof KubeRefusal && error.isOfEndingNamespace)) failed(error);
  }
}
