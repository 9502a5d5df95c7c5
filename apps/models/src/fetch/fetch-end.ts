import type { EndedBy, FetchedPack } from '@sightline/contracts/cluster/fetch-end';
import type { ActiveModel } from '@sightline/core/models/model';
import { type FetchFailureReason, ModelFetchFailed } from '@sightline/core/models/model-source';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { parseManifest } from '@sightline/engine/packs/manifest';
import { cutToBytes } from '@sightline/platform/text/cut-to-bytes';

/** How a fetch ended. */
export type FetchEnd = { readonly pack: FetchedPack } | EndedBy;

/** What the kubelet keeps of a termination message, in bytes. */
const MOST_BYTES = 4096;
const MOST_MESSAGE_BYTES = 2048;
const MOST_LICENSE = 256;

/** What was fetched of a pack. */
export interface Fetched {
  readonly model: ActiveModel;
  /** The text of its `manifest.json`. */
  readonly manifest: string;
  readonly sha256?: string | null;
  readonly bytes?: number;
}

export function packOf({ model, manifest, sha256 = null, bytes }: Fetched): FetchedPack {
  const { commercialUse, embeddingDim, classes } = model;
  return {
    name: model.name,
    version: model.version,
    revision: model.revision,
    ...(sha256 !== null && { sha256 }),
    ...(bytes !== undefined && { sizeBytes: bytes }),
    license: model.license.slice(0, MOST_LICENSE),
    ...(commercialUse !== 'unknown' && { commercialUse }),
    provides: [...new Set(model.provides)],
    ...(embeddingDim !== null && { embeddingDimension: embeddingDim }),
    ...(classes.length > 0 && { classes: classes.length }),
    components: parseManifest(manifest).components.map(({ role, file, sha256: digest }) => ({
      role,
      file,
      sha256: digest,
    })),
    verifiedAt: new Date().toISOString(),
  };
}

/** The reason and the sentence of an error. The message of what is not expected stays in the log. */
export function failureOf(error: unknown): EndedBy {
  if (error instanceof ModelFetchFailed) {
    return { reason: wordOf(error.reason), message: cutToBytes(error.message, MOST_MESSAGE_BYTES) };
  }
  if (error instanceof StoreUnavailable) {
    return { reason: 'StoreUnavailable', message: error.message };
  }
  return { reason: 'FetchFailed', message: 'The fetch failed unexpectedly; its log says more.' };
}

/** As JSON that the kubelet keeps whole: components are the least of a pack, the end that of a message. */
export function textOf(end: FetchEnd): string {
  const text = JSON.stringify(end);
  if (Buffer.byteLength(text) <= MOST_BYTES) return text;
  if ('pack' in end) return JSON.stringify({ pack: { ...end.pack, components: [] } });
  // JSON takes up to six bytes for one.
  const most = Buffer.byteLength(end.message) * 0.75;
  return textOf({ ...end, message: cutToBytes(end.message, most) });
}

/** `no_space` as `NoSpace`. */
function wordOf(reason: FetchFailureReason): string {
  return reason
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
}
