import { ModelFetchFailed, type FetchProgress } from '@sightline/core/models/model-source';
import type { PackStore } from '@sightline/core/models/pack-store';
import { describePack } from '@sightline/engine/packs/describe-pack';
import { parseManifest } from '@sightline/engine/packs/manifest';
import { packRevision } from '@sightline/engine/packs/revision';
import { checkPack } from '@sightline/model-downloads/published/check-pack';
import { holdsPack } from '@sightline/model-downloads/published/holds-pack';
import { openStoredModels } from '@sightline/model-downloads/published/open-stored-models';
import { storePack } from '@sightline/model-downloads/published/store-pack';
import { makeStarter } from '@sightline/model-host/starter/make-starter';
import { STARTER_PACKS } from '@sightline/model-host/starter/starter-packs';
import type { S3Settings } from '@sightline/platform/config/read-s3-settings';
import type { Environment } from '@sightline/platform/config/read-environment';
import type { Logger } from '@sightline/platform/logging/logger';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import { readProxies } from '@sightline/platform/outgoing/proxies';
import { freeBytesOf } from '@sightline/platform/data-folder/free-bytes';
import type { FetchedPack } from '@sightline/contracts/cluster/fetch-end';
import { type Fetched, packOf } from './fetch-end.ts';
import { MODEL_TASKS } from '@sightline/contracts/cluster/cluster-task';
import type { FetchRequest } from '@sightline/contracts/cluster/fetch-request';
import { publishedAt } from './published-at.ts';

export interface FetchDeps {
  readonly store: PackStore;
  /** The S3 server of the store. */
  readonly storeSettings: S3Settings;
  /** The folder for partial downloads. */
  readonly cache: string;
  /** A mirror that replaces the servers of all publishers; null if there is none. */
  readonly mirror: string | null;
  /** The environment variables, which name the proxies for downloads. */
  readonly environment: Environment;
  readonly logger: Logger;
  readonly onProgress: (progress: FetchProgress) => void;
  readonly signal: AbortSignal;
}

/** A download leaves this much disk space free, because other programs fail on a full file system. */
const RESERVE_BYTES = 16 * 1024 ** 2;
const UNKNOWN = {
  version: null,
  license: 'unknown',
  commercialUse: 'unknown',
  commercialUseReason: 'The source does not state the license.',
} as const;

/**
 * Fetches a model into the model store and verifies it.
 *
 * @throws ModelFetchFailed; StoreUnavailable; the signal's reason on abort
 */
export async function fetchModel(request: FetchRequest, deps: FetchDeps): Promise<FetchedPack> {
  const { source, revision } = request;
  if (source.store !== undefined) return packOf(await inStore(revision, deps));
  if (source.starter !== undefined) return packOf(await starter(request, deps));
  return packOf(await published(request, deps));
}

/** Verifies every byte of a pack that the model store has already. */
async function inStore(revision: string | undefined, deps: FetchDeps): Promise<Fetched> {
  const { store, onProgress, signal } = deps;
  if (revision === undefined)
    throw notFound('Set spec.revision to the revision of the model in the model store.');
  const isStored = await holdsPack(store, revision, { onProgress, signal });
  const text = await store.readManifest(revision, signal);
  if (!isStored || text === null) {
    throw notFound(`The model store does not have the revision ${revision}.`);
  }
  const manifest = parseManifest(text);
  const model = describePack({
    manifest,
    revision: packRevision(manifest.components),
    directory: '',
  });
  return { model, manifest: text };
}

async function starter(request: FetchRequest, deps: FetchDeps): Promise<Fetched> {
  const { store, cache, environment, logger, signal } = deps;
  const slot = MODEL_TASKS[request.task];
  if (slot === 'open_vocabulary') throw notFound('There is no starter pack for open vocabularies.');
  const made = await makeStarter(STARTER_PACKS[slot], { cache, environment, logger, signal });
  if (made.pack === null) {
    throw new ModelFetchFailed(`The starter pack could not be prepared: ${made.reason}.`, {
      reason: 'source_unreachable',
    });
  }
  const { directory } = made.pack;
  const checked = await checkPack(directory, UNKNOWN);
  requireRevision(checked.model.revision, request.revision);
  await storePack(checked, { directory, store }, signal);
  return checked;
}

async function published(request: FetchRequest, deps: FetchDeps): Promise<Fetched> {
  const { store, storeSettings, onProgress, signal } = deps;
  using opening = new DisposableStack();
  const proxies = readProxies(deps.environment);
  const { files, sources } = await publishedAt(request, {
    store: storeSettings,
    proxies,
    opening,
    signal,
  });
  await using http = new GuardedFetch({ ownEndpoints: () => [], proxies });
  const { name, revision, source } = request;
  const { cache, mirror } = deps;
  const models = openStoredModels({
    store,
    cache,
    sources: { ...sources, http, reach: 'private', mirror },
    reserveBytes: RESERVE_BYTES,
    freeBytesOf,
    maxBytes: source.sizeBytes,
  });
  const fetched = await models.fetch(
    { name, task: MODEL_TASKS[request.task], files, facts: UNKNOWN, revision },
    { onProgress, signal },
  );
  for (const warning of fetched.warnings) deps.logger.warn({ model: name }, warning);
  const manifest = await store.readManifest(fetched.model.revision, signal);
  return { ...fetched, manifest: manifest! };
}

function requireRevision(found: string, desired: string | undefined): void {
  if (desired === undefined || found === desired) return;
  throw new ModelFetchFailed(`The starter pack has the revision ${found} instead of ${desired}.`, {
    reason: 'revision_mismatch',
  });
}

function notFound(message: string): ModelFetchFailed {
  return new ModelFetchFailed(message, { reason: 'not_found' });
}
