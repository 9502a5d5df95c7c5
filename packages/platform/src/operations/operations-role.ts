import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpListener } from '../http/http-listener.ts';
import type { Role } from '../lifecycle/role.ts';
import type { Logger } from '../logging/logger.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { Endpoint } from '../outgoing/target-guard.ts';

/** A part of the process that has to be ready before the process receives requests. Every `Role` is such a part. */
export type ReadinessCheck = Pick<Role, 'name' | 'ready'>;

export interface OperationsOptions {
  readonly host: string;
  readonly port: number;
  readonly logger: Logger;
  readonly registry: MetricsRegistry;
  readonly checks: readonly ReadinessCheck[];
}

export interface OperationsRole extends Role {
  /** The address of the listener; null while the role does not listen. */
  readonly endpoint: Endpoint | null;
  /** Adds an endpoint. A GET request of the path returns the report as JSON. The report must not throw. */
  serve(path: string, report: () => unknown): void;
}

const CHECK_TIMEOUT_MS = 2_000;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Creates the role. `GET /livez` always responds with 200. `GET /readyz` responds with 200 or 503 and the result of
 * each check. `GET /metrics` returns the registry in the text format of Prometheus.
 */
export function createOperationsRole(options: OperationsOptions): OperationsRole {
  const { host, port, logger } = options;
  const reports = new Map<string, () => unknown>();
  let listener: HttpListener | null = null;
  return {
    name: 'operations',
    serve: (path, report) => void reports.set(path, report),
    get endpoint() {
      return listener?.address ?? null;
    },
    async start() {
      listener = await HttpListener.open({
        name: 'operations listener',
        host,
        port,
        hostVariable: 'SIGHTLINE_OPS_HOST',
        portVariable: 'SIGHTLINE_OPS_PORT',
        handler: (request, response) => void respond(request, response, { ...options, reports }),
      });
      logger.info({ url: listener.url }, 'the operations listener started');
    },
    ready: () => Promise.resolve(listener !== null),
    async [Symbol.asyncDispose]() {
      await listener?.[Symbol.asyncDispose]();
      listener = null;
    },
  };
}

interface Answering extends Pick<OperationsOptions, 'logger' | 'registry' | 'checks'> {
  readonly reports: ReadonlyMap<string, () => unknown>;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  options: Answering,
): Promise<void> {
  const { status, type, body } = await answer(request, options).catch((error: unknown) => {
    options.logger.error({ err: error }, 'operations request failed');
    return text(500, 'internal error');
  });
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(body);
}

async function answer(request: IncomingMessage, options: Answering): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return text(405, 'method not allowed');
  const [path = ''] = (request.url ?? '').split('?', 1);
  switch (path) {
    case '/livez':
      return text(200, 'ok');
    case '/readyz':
      return readiness(options.checks);
    case '/metrics': {
      const { registry } = options;
      return { status: 200, type: registry.contentType, body: await registry.metrics() };
    }
    default: {
      const report = options.reports.get(path);
      return report === undefined ? text(404, 'not found') : json(200, report());
    }
  }
}

function text(status: number, body: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: `${body}\n` };
}

function json(status: number, body: unknown): Answer {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

async function readiness(checks: readonly ReadinessCheck[]): Promise<Answer> {
  const results = await Promise.all(
    checks.map(async (check) => [check.name, await isReady(check)] as const),
  );
  const ready = results.every(([, passed]) => passed);
  return json(ready ? 200 : 503, { ready, checks: Object.fromEntries(results) });
}

/** Returns false if the check fails or does not settle in time. */
async function isReady(check: ReadinessCheck): Promise<boolean> {
  let tooLong: NodeJS.Timeout | undefined;
  const gaveUp = new Promise<boolean>((resolve) => {
    tooLong = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check.ready(), gaveUp]);
  } catch {
    return false;
  } finally {
    clearTimeout(tooLong);
  }
}
