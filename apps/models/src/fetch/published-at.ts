import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ModelFetchFailed, type PublishedFile } from '@sightline/core/models/model-source';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { S3Buckets } from '@sightline/media/s3/s3-buckets';
import { bucketFailure } from '@sightline/model-downloads/published/bucket-source';
import { isPackFileName } from '@sightline/model-downloads/published/pack-file-name';
import type { SourceDeps } from '@sightline/model-downloads/published/source-of';
import type { S3Settings } from '@sightline/platform/config/read-s3-settings';
import type { Proxies } from '@sightline/platform/outgoing/proxies';
import { checkTargetUrl } from '@sightline/platform/outgoing/target-guard';
import { readAuthorization, readS3Keys } from './credentials.ts';
import type { FetchRequest } from '@sightline/contracts/cluster/fetch-request';

/** The files to fetch and the clients of their sources. */
export interface PublishedAt {
  readonly files: readonly PublishedFile[];
  readonly sources: Pick<SourceDeps, 'authorization' | 'filesFolder' | 'openObject'>;
}

export interface PublishedDeps {
  /** The S3 server of the model store. */
  readonly store: S3Settings;
  /** The proxies for servers of sources, but not for that of the model store; null if there are none. */
  readonly proxies: Proxies | null;
  /** Collects resources that the caller disposes of after the fetch. */
  readonly opening: DisposableStack;
  readonly signal: AbortSignal;
}

const NO_SOURCES = { filesFolder: null, openObject: null } as const;

/**
 * The addresses of the files of a model that is published over HTTP, in an S3 bucket or in a volume claim.
 *
 * @throws ModelFetchFailed; the signal's reason on abort
 */
export async function publishedAt(
  { source, credentials, folder }: FetchRequest,
  { opening, signal, ...access }: PublishedDeps,
): Promise<PublishedAt> {
  const fileAt = (address: string): PublishedFile => ({
    address,
    sha256: source.sha256 ?? null,
    bytes: null,
  });
  if (source.http !== undefined) {
    const authorization = await readAuthorization(credentials);
    return { files: [fileAt(source.http.url)], sources: { ...NO_SOURCES, authorization } };
  }
  if (source.s3 !== undefined) {
    const { bucket, key } = source.s3;
    const buckets = opening.use(await openBuckets(source.s3, { credentials, ...access }));
    const keys = key.endsWith('/') ? await keysBelow(buckets, { bucket, key }, signal) : [key];
    const files = keys.map((each) => fileAt(`s3://${bucket}/${pathOf(each)}`));
    return {
      files,
      sources: { ...NO_SOURCES, openObject: (range, to) => buckets.open(range, to) },
    };
  }
  if (folder === undefined) throw notFound('The source has none of http, s3 and claim.');
  const paths = await pathsAt(folder);
  return {
    files: paths.map(fileAt),
    sources: { ...NO_SOURCES, filesFolder: dirname(paths[0]!) },
  };
}

type Access = Pick<FetchRequest, 'credentials'> & Pick<PublishedDeps, 'store' | 'proxies'>;

async function openBuckets(
  { endpoint, region, virtualHosts }: NonNullable<FetchRequest['source']['s3']>,
  { credentials, store, proxies }: Access,
): Promise<S3Buckets> {
  const url = new URL(endpoint);
  try {
    checkTargetUrl(url);
  } catch (cause) {
    throw new ModelFetchFailed(`${url.host} has an address that is not allowed.`, {
      cause,
      reason: 'access_denied',
    });
  }
  const given = await readS3Keys(credentials);
  const options = { endpoint: url, bucket: '', region, virtualHosts };
  if (url.origin !== store.endpoint.origin) {
    return new S3Buckets({ ...options, keys: () => given, proxies });
  }
  // Only the server of the model store gets the session tokens of this process, and no proxy sees them.
  const isOwn = credentials === undefined && typeof store.keys !== 'function';
  return new S3Buckets({ ...options, keys: isOwn ? store.keys : () => given });
}

/** The keys of the pack's files directly below a prefix. */
async function keysBelow(
  buckets: S3Buckets,
  { bucket, key: prefix }: { readonly bucket: string; readonly key: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const keys = await buckets.keys({ bucket, prefix }, signal).catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new ModelFetchFailed(
      `The bucket ${bucket} ${bucketFailure(error)}`.replace(/\.?$/, '.'),
      {
        cause: error,
        reason: error.refusal ?? 'source_unreachable',
      },
    );
  });
  const found = keys.filter((key) => isPackFileName(key.slice(prefix.length)));
  if (found.length > 0) return found;
  throw notFound(`The bucket ${bucket} has no files of a pack below this key.`);
}

/** The path itself if it is a file; if it is a folder, the paths of the pack's files in it. */
async function pathsAt(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw notFound('The volume claim has no file or folder at this path.');
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter(isPackFileName).sort();
  if (names.length === 0) throw notFound('The volume claim has no files of a pack in this folder.');
  return names.map((name) => join(path, name));
}

function pathOf(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/');
}

function notFound(message: string): ModelFetchFailed {
  return new ModelFetchFailed(message, { reason: 'not_found' });
}
