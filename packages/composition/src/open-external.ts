import type { MediaStore } from '@sightline/core/media/media-store';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { readDatabaseSettings } from '@sightline/platform/config/read-database-settings';
import { readInferenceSettings } from '@sightline/platform/config/read-inference-settings';
import { readQdrantSettings } from '@sightline/platform/config/read-qdrant-settings';
import { readS3Settings } from '@sightline/platform/config/read-s3-settings';
import type { Config } from '@sightline/platform/config/variable-groups';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import type { Endpoint } from '@sightline/platform/outgoing/target-guard';
import type { ProcessContext } from '@sightline/platform/process/run-process';
import type { PostgresStores } from '@sightline/postgres/open-postgres';
import { nameProcess } from './database/name-process.ts';
import { openExternalDatabase } from './database/open-external-database.ts';
import type { Inference } from './inference.ts';
import { openBucket } from './media/open-media.ts';
import { openInference } from './open-inference.ts';
import { ownEndpoints } from './own-endpoints.ts';
import { type ExternalNeed, requireExternal } from './require-external.ts';
import { openVectors } from './vectors/open-vectors.ts';

export interface ExternalProcess<Need extends ExternalNeed> {
  /** The name of the process in messages, such as `An API process`. */
  readonly name: string;
  /** The name of the process in the activity view of the database, such as `sightline api`. */
  readonly applicationName: string;
  readonly needs: readonly Need[];
}

interface OptionalServices {
  readonly media: MediaStore;
  readonly vectors: VectorIndex;
  readonly inference: Inference;
}

export interface ExternalServices<Need extends ExternalNeed> extends AsyncDisposable {
  readonly stores: PostgresStores & Pick<OptionalServices, Exclude<Need, 'inference'>>;
  readonly inference: 'inference' extends Need ? Inference : undefined;
  readonly endpoints: readonly Endpoint[];
}

type ExternalContext<Need extends ExternalNeed> = Pick<
  ProcessContext<'start' | 'database' | Need | (Need extends 'inference' ? 'inferenceKey' : never)>,
  'config' | 'logger' | 'registry' | 'signal' | 'version'
>;

/**
 * Waits for the external services that a process needs, and opens them. With inference, each task without an active
 * model gets the model that the inference processes run.
 *
 * @throws StartError if the configuration lacks a needed service, or a service is unavailable or cannot be used
 */
export async function openExternal<const Need extends ExternalNeed>(
  process: ExternalProcess<Need>,
  context: ExternalContext<Need>,
): Promise<ExternalServices<Need>>;
export async function openExternal(
  process: ExternalProcess<ExternalNeed>,
  { config, logger, registry, signal, version }: ExternalContext<ExternalNeed>,
): Promise<unknown> {
  requireExternal(process, config);
  const settings = readSettings(process, config);
  const wait = {
    logger,
    signal,
    observer: createDependencyMetrics(registry),
    timeoutMs: config.startTimeout * 1_000,
  };
  await using opening = new AsyncDisposableStack();
  const applicationName = nameProcess(process.applicationName, version);
  const { stores, rows, external, awaitRows } = opening.use(
    await openExternalDatabase(
      settings.database,
      { applicationName, reader: { kind: 'shared' } },
      wait,
    ),
  );
  const { installation } = stores;
  const media =
    settings.s3 &&
    opening.use(await openBucket({ installation, folder: null, rows }, settings.s3, wait));
  const vectors =
    settings.qdrant &&
    opening.use(
      await openVectors(settings.qdrant, (await awaitRows(() => installation.read())).id, wait),
    );
  const inference =
    settings.inference && opening.use(await openInference(settings.inference, wait));
  if (inference) await awaitRows(() => inference.activate(stores, signal));
  const resources = opening.move();
  return {
    stores: { ...stores, ...(media && { media }), ...(vectors && { vectors }) },
    inference,
    endpoints: ownEndpoints(urlsOf(settings), external),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function urlsOf({ s3, qdrant, inference }: ReturnType<typeof readSettings>) {
  return [s3?.endpoint, qdrant?.url, ...(inference?.urls ?? [])];
}

/**
 * Reads only the settings of the services that the process needs, because `config` contains no variables of other
 * services.
 */
function readSettings(
  { needs }: Pick<ExternalProcess<ExternalNeed>, 'needs'>,
  config: Config<'database' | 'inferenceKey' | ExternalNeed>,
) {
  return {
    // `requireExternal` has already checked that the database is configured.
    database: readDatabaseSettings(config)!,
    s3: needs.includes('media') ? readS3Settings(config) : null,
    qdrant: needs.includes('vectors') ? readQdrantSettings(config) : null,
    inference: needs.includes('inference') ? readInferenceSettings(config) : null,
  };
}
