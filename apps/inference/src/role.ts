import type { DesiredModel } from '@sightline/core/models/desired-models';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import type { Engine } from '@sightline/engine/engine';
import type { RequestObserver } from '@sightline/platform/http/access-log';
import { TrustedProxies } from '@sightline/platform/http/client-address';
import { HttpListener, type HttpListenerOptions } from '@sightline/platform/http/http-listener';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { Logger } from '@sightline/platform/logging/logger';
import type { AcceptedKeys } from './accepted-keys.ts';
import { createInferenceApp } from './create-inference-app.ts';
import { ControllerRequests } from './desired/controller-requests.ts';
import type { DesiredModelsSource } from './desired/desired-models-source.ts';
import { nextReadiness, type Readiness, startedWith } from './readiness.ts';

/** Timeout for closing the engine, in ms. Only a hanging analysis needs it, and no client waits for its result. */
const CLOSE_TIMEOUT_MS = 5_000;
/**
 * All addresses, so that none has a share of the connections: callers have a key, and several of them may share the address
 * of a node or of a proxy.
 */
const CALLERS = new TrustedProxies(['0.0.0.0/0', '::/0']);

export type ServedEngine = Pick<
  Engine,
  'analyze' | 'requireRoom' | 'isIdle' | 'hold' | 'warm' | 'status' | 'close'
>;

export interface InferenceRoleDeps extends Pick<
  HttpListenerOptions,
  'host' | 'port' | 'maxConnections' | 'connections' | 'drainMs'
> {
  /** Opens the engine, which the role closes. */
  readonly openEngine: (signal: AbortSignal) => Promise<ServedEngine>;
  /** The source of the desired models; by default the requests of controllers. */
  readonly source?: DesiredModelsSource;
  readonly limits: Pick<ImageLimits, 'maxBytes'>;
  /** The limit in bytes for the bodies of all requests that are being read, queued or analyzed. */
  readonly bodyMemory: number;
  /** The secret that callers must send; null if callers need none. */
  readonly keys: Pick<AcceptedKeys, 'accept'> | null;
  /** The supported wire versions; by default those of this release. */
  readonly spoken?: readonly number[];
  readonly logger: Logger;
  readonly observer: RequestObserver;
}

export interface InferenceRole extends Role {
  /** The URL for callers on this machine; null while the role does not listen. */
  readonly localUrl: string | null;
}

/** Serves an engine over HTTP and follows the desired models. Listens once the first models are warm. */
export function createInferenceRole(deps: InferenceRoleDeps): InferenceRole {
  const { host, port, maxConnections, connections, drainMs, keys, logger, observer } = deps;
  const { limits, bodyMemory, source = new ControllerRequests(), spoken } = deps;
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
        trustedProxies: CALLERS,
        connections,
        drainMs,
        handler: createInferenceApp({
          engine: opened,
          requests: source instanceof ControllerRequests ? source : null,
          status,
          limits,
          bodyMemory,
          keys,
          spoken,
          logger,
          observer,
        }),
      });
      acceptsRequests = true;
      logger.info({ url: listener.url }, 'inference is listening');
    },
    // A process without the desired models still follows the controller, but should get no requests.
    ready: () => {
      if (!accepts()) return Promise.resolve(false);
      readiness = nextReadiness(readiness, desired, engine!.status().report);
      return Promise.resolve(readiness.kind === 'serving');
    },
    async [Symbol.asyncDispose]() {
      // From here on the process is not ready, while it finishes accepted requests.
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
