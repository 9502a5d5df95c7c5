import type { DesiredModel } from '@sightline/core/models/desired-models';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import type { Engine } from '@sightline/engine/engine';
import type { RequestObserver } from '@sightline/platform/http/access-log';
import { HttpListener, type HttpListenerOptions } from '@sightline/platform/http/http-listener';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { Logger } from '@sightline/platform/logging/logger';
import { createInferenceApp } from './create-inference-app.ts';
import { ControllerRequests } from './desired/controller-requests.ts';
import type { DesiredModelsSource } from './desired/desired-models-source.ts';
import { nextReadiness, type Readiness, startedWith } from './readiness.ts';

/** For an analysis that hangs: when the listener has stopped, no client waits for one. In ms. */
const CLOSE_TIMEOUT_MS = 5_000;

export type ServedEngine = Pick<
  Engine,
  'analyze' | 'requireRoom' | 'hold' | 'warm' | 'status' | 'close'
>;

export interface InferenceRoleDeps extends Pick<
  HttpListenerOptions,
  'host' | 'port' | 'maxConnections' | 'drainMs'
> {
  /** The role closes the engine. */
  readonly openEngine: (signal: AbortSignal) => Promise<ServedEngine>;
  /** The source of the desired models; absent: controllers send them. */
  readonly source?: DesiredModelsSource;
  readonly limits: Pick<ImageLimits, 'maxBytes'>;
  /** Bytes of all requests that are being read, queued or analyzed. */
  readonly bodyMemory: number;
  /** The secret that callers have to send; null: they need none. */
  readonly key: string | null;
  /** Wire versions that it speaks; absent: those of this release. */
  readonly spoken?: readonly number[];
  readonly logger: Logger;
  readonly observer: RequestObserver;
}

export interface InferenceRole extends Role {
  /** The URL that this machine reaches it by; null while it does not listen. */
  readonly localUrl: string | null;
}

/** An engine behind HTTP, which follows the desired models. It listens as soon as a set of models is warm. */
export function createInferenceRole(deps: InferenceRoleDeps): InferenceRole {
  const { host, port, maxConnections, drainMs, limits, bodyMemory, key, logger, observer } = deps;
  const { source = new ControllerRequests(), spoken } = deps;
  const stopped = new AbortController();
  let engine: ServedEngine | null = null;
  let listener: HttpListener | null = null;
  let acceptsRequests = false;
  let desired: readonly DesiredModel[] = [];
  let readiness: Readiness = startedWith(desired);
  let following: Promise<void> | null = null;
  const accepts = () => acceptsRequests && engine?.status().ready === true;
  return {
    name: 'inference',
    get localUrl() {
      return listener?.localUrl ?? null;
    },
    async start(signal) {
      signal.throwIfAborted();
      const opened = await deps.openEngine(signal);
      engine = opened;
      signal.throwIfAborted();
      const apply: Parameters<DesiredModelsSource['follow']>[0] = (document) => {
        opened.hold(document);
        desired = document.models;
      };
      // A process that is being stopped follows no more.
      following = source.follow(apply, AbortSignal.any([signal, stopped.signal]));
      await opened.warm(signal);
      readiness = startedWith(desired);
      const status = () => ({ ...opened.status(), ready: accepts() });
      listener = await HttpListener.open({
        name: 'inference listener',
        host,
        port,
        portVariable: 'SIGHTLINE_PORT',
        maxConnections,
        drainMs,
        handler: createInferenceApp({
          engine: opened,
          requests: source instanceof ControllerRequests ? source : null,
          status,
          limits,
          bodyMemory,
          key,
          spoken,
          logger,
          observer,
        }),
      });
      acceptsRequests = true;
      logger.info({ url: listener.url }, 'inference listens');
    },
    // A process without the desired models still follows the controller, but should get no requests.
    ready: () => {
      if (!accepts()) return Promise.resolve(false);
      readiness = nextReadiness(readiness, desired, engine!.status().report);
      return Promise.resolve(readiness.kind === 'serving');
    },
    async [Symbol.asyncDispose]() {
      // Not ready from here on, while the accepted requests still run.
      acceptsRequests = false;
      stopped.abort();
      await following;
      await listener?.[Symbol.asyncDispose]();
      listener = null;
      await engine?.close(AbortSignal.timeout(CLOSE_TIMEOUT_MS));
      engine = null;
    },
  };
}
