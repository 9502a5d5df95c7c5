import type { NamedModels } from '@sightline/core/models/analyzer-status';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import type { Engine } from '@sightline/engine/engine';
import type { RequestObserver } from '@sightline/platform/http/access-log';
import { HttpListener, type HttpListenerOptions } from '@sightline/platform/http/http-listener';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { Logger } from '@sightline/platform/logging/logger';
import { createInferenceApp } from './create-inference-app.ts';

/** For an analysis that hangs: when the listener has stopped, no client waits for one. In ms. */
const CLOSE_TIMEOUT_MS = 5_000;

export type ServedEngine = Pick<Engine, 'analyze' | 'requireRoom' | 'hold' | 'status' | 'close'>;

export interface InferenceRoleDeps extends Pick<
  HttpListenerOptions,
  'host' | 'port' | 'maxConnections' | 'drainMs'
> {
  /** Loads the models and warms them up; the role closes the engine. */
  readonly openEngine: (signal: AbortSignal) => Promise<ServedEngine>;
  /** What decides which models the engine holds; absent or null: its callers. */
  readonly served?: {
    readonly asked: { readonly note: (models: NamedModels) => void };
    readonly isReady: () => boolean;
  } | null;
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

/** An engine behind HTTP. It listens as soon as the models are warm. */
export function createInferenceRole(deps: InferenceRoleDeps): InferenceRole {
  const { host, port, maxConnections, drainMs, limits, bodyMemory, key, logger, observer } = deps;
  const { served = null, spoken } = deps;
  let engine: ServedEngine | null = null;
  let listener: HttpListener | null = null;
  let acceptsRequests = false;
  const isReady = () => acceptsRequests && engine?.status().ready === true;
  return {
    name: 'inference',
    get localUrl() {
      return listener?.localUrl ?? null;
    },
    async start(signal) {
      signal.throwIfAborted();
      const warm = await deps.openEngine(signal);
      engine = warm;
      signal.throwIfAborted();
      const status = () => ({ ...warm.status(), ready: isReady() });
      listener = await HttpListener.open({
        name: 'inference listener',
        host,
        port,
        portVariable: 'SIGHTLINE_PORT',
        maxConnections,
        drainMs,
        handler: createInferenceApp({
          engine: warm,
          ...(served !== null && { onAsked: (models: NamedModels) => served.asked.note(models) }),
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
    // Who cannot have the active models goes on being told of others, but is of no use until then.
    ready: () => Promise.resolve(isReady() && (served?.isReady() ?? engine!.status().hasPreferred)),
    async [Symbol.asyncDispose]() {
      // Not ready from here on, while the accepted requests still run.
      acceptsRequests = false;
      await listener?.[Symbol.asyncDispose]();
      listener = null;
      await engine?.close(AbortSignal.timeout(CLOSE_TIMEOUT_MS));
      engine = null;
    },
  };
}
