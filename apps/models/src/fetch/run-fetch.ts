import { readFile, writeFile } from 'node:fs/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { FetchProgress } from '@sightline/core/models/model-source';
import { S3PackStore } from '@sightline/media/s3/s3-pack-store';
import { readS3Settings } from '@sightline/platform/config/read-s3-settings';
import type { Environment } from '@sightline/platform/config/read-environment';
import type { Config } from '@sightline/platform/config/variable-groups';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Logger } from '@sightline/platform/logging/logger';
import type { OperationsRole } from '@sightline/platform/operations/operations-role';
import { failureOf, type FetchEnd, textOf } from './fetch-end.ts';
import { fetchModel } from './fetch-model.ts';
import type { FetchRequest } from '@sightline/contracts/cluster/fetch-request';
import { parseFetchRequest } from './fetch-request.ts';

/** The groups of environment variables that a fetch reads. */
export const FETCH_GROUPS = ['process', 'models', 'downloads', 'media', 'fetch'] as const;

export interface FetchContext {
  readonly config: Config<(typeof FETCH_GROUPS)[number]>;
  /** The environment variables, which name the proxies for downloads. */
  readonly environment: Environment;
  readonly logger: Logger;
  readonly operations: Pick<OperationsRole, 'serve'>;
  readonly signal: AbortSignal;
}

/**
 * Fetches the model that the configuration names. The operations port shows the progress at `/fetch`. The result becomes
 * the termination message of the container.
 *
 * @throws StartError if the fetch failed
 */
export async function runFetch(context: FetchContext): Promise<void> {
  const end = await endOf(context);
  await writeEnd(end, context);
  if ('reason' in end) throw new StartError(`${end.reason}: ${end.message}`);
  const { name, revision } = end.pack;
  context.logger.info({ model: name, revision }, 'the model was stored in the model store');
}

async function endOf(context: FetchContext): Promise<FetchEnd> {
  const { config, environment, logger, operations, signal } = context;
  const request = parseFetchRequest(config.fetch);
  const settings = readS3Settings(config);
  if (settings === null)
    throw new StartError('Set SIGHTLINE_S3_ENDPOINT to the URL of the model store.');
  let progress: FetchProgress = { received: 0, total: null };
  operations.serve('/fetch', () => ({ bytes: progress.received, totalBytes: progress.total }));
  using store = new S3PackStore(settings);
  try {
    await trust(request);
    const { cache, modelMirror: mirror } = config;
    const onProgress = (each: FetchProgress) => void (progress = each);
    const deps = {
      store,
      storeSettings: settings,
      cache,
      mirror,
      environment,
      logger,
      onProgress,
      signal,
    };
    return { pack: await fetchModel(request, deps) };
  } catch (error) {
    signal.throwIfAborted();
    logger.error({ err: error }, 'the model could not be fetched');
    return failureOf(error);
  }
}

/** Makes this process trust the certificate authority that the request names. */
async function trust({ authority }: FetchRequest): Promise<void> {
  if (authority === undefined) return;
  const certificate = await readFile(authority, 'utf8');
  setDefaultCACertificates([...getCACertificates('default'), certificate]);
}

async function writeEnd(end: FetchEnd, { config, logger }: FetchContext): Promise<void> {
  const { terminationLog: path } = config;
  if (path === null) return;
  try {
    await writeFile(path, textOf(end));
  } catch (error) {
    logger.error({ err: error, path }, 'the result of the fetch could not be written');
  }
}
