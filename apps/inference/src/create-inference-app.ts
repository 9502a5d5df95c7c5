import type { AnalyzerStatus } from '@sightline/core/models/analyzer-status';
import type { ServerResponse } from 'node:http';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import type { Engine } from '@sightline/engine/engine';
import { encodeAnswer } from '@sightline/engine/wire/answer-message';
import { WIRE_TYPE } from '@sightline/engine/wire/preamble';
import { encodeStatus } from '@sightline/engine/wire/status-message';
import { decodeTenant } from '@sightline/engine/wire/tenant-header';
import { observeRequests, type RequestObserver } from '@sightline/platform/http/access-log';
import { BodyMemory } from '@sightline/platform/http/body-memory';
import { refuseUnknownPath } from '@sightline/platform/http/handle-error';
import { assignRequestId } from '@sightline/platform/http/request-id';
import type { Logger } from '@sightline/platform/logging/logger';
import express, { type Express } from 'express';
import { AnalysesInFlight } from './analyses-in-flight.ts';
import type { ControllerRequests } from './desired/controller-requests.ts';
import { readDesiredModels } from './desired/read-desired-models.ts';
import { readRequest } from './read-request.ts';
import { createRefusal } from './refuse.ts';
import type { AcceptedKeys } from './accepted-keys.ts';
import { requireKey } from './require-key.ts';
import { limitTime } from './time-limit.ts';

const NO_CONTENT = 204;

export interface InferenceAppOptions {
  readonly engine: Pick<Engine, 'analyze' | 'requireRoom' | 'isIdle'>;
  /** Receives the desired models that a controller sends; null if controllers may send none. */
  readonly requests: Pick<ControllerRequests, 'put'> | null;
  /** The answer to status requests; `ready` is false as soon as the process is stopping. */
  readonly status: () => AnalyzerStatus;
  readonly limits: Pick<ImageLimits, 'maxBytes'>;
  /** The limit in bytes for the bodies of all requests that are being read, queued or analyzed. */
  readonly bodyMemory: number;
  /** The keys of which callers must send one; null if callers need none. */
  readonly keys: Pick<AcceptedKeys, 'accept'> | null;
  /** The supported wire versions; by default those of this release. */
  readonly spoken?: readonly number[];
  readonly logger: Logger;
  readonly observer: RequestObserver;
}

/** Inference over HTTP, without a listener. Sends no CORS headers, because no browser calls it. */
export function createInferenceApp(options: InferenceAppOptions): Express {
  const { engine, requests, status, limits, bodyMemory, keys, spoken, logger, observer } = options;
  const memory = new BodyMemory(bodyMemory);
  const inFlight = new AnalysesInFlight(engine);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(assignRequestId);
  // These two routes are neither logged nor counted, because other processes call them all the time.
  if (requests !== null) {
    app.put('/v1/models', requireKey(keys), async (request, response) => {
      requests.put(await readDesiredModels(request));
      response.status(NO_CONTENT).end();
    });
  }
  app.get('/v1/status', requireKey(keys), (_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(encodeStatus(status(), spoken));
  });
  app.use(observeRequests(logger, observer), requireKey(keys));
  app.post('/v1/analyze', async (request, response) => {
    const signal = limitTime(request, response);
    signal.throwIfAborted();
    const tenant = decodeTenant(request.headers);
    engine.requireRoom(tenant);
    using share = memory.open(tenant);
    const readLimits = { ...limits, memory: share, spoken };
    const answer = await inFlight.during(response, tenant, async () => {
      const { analysisRequest, version } = await readRequest(request, readLimits);
      signal.throwIfAborted();
      const analysis = await engine.analyze({ ...analysisRequest, tenant }, signal);
      return encodeAnswer(analysis, version);
    });
    sendChunks(response, answer);
  });
  app.use(refuseUnknownPath);
  app.use(createRefusal(logger));
  return app;
}

/** Sends all chunks in one write, because there are many and some are small. */
function sendChunks(response: ServerResponse, chunks: readonly Uint8Array[]): void {
  const length = chunks.reduce((total, chunk) => total + chunk.length, 0);
  response.writeHead(200, { 'Content-Type': WIRE_TYPE, 'Content-Length': length });
  response.cork();
  for (const chunk of chunks) response.write(chunk);
  response.end();
  response.uncork();
}
