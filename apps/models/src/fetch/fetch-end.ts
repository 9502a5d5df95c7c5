import type { EndedBy, FetchedPack } from '@sightline/contracts/cluster/fetch-end';
import type { ActiveModel } from '@sightline/core/models/model';
import { type FetchFailureReason, ModelFetchFailed } from '@sightline/core/models/model-source';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { parseManifest } from '@sightline/engine/packs/manifest';
import { cutToBytes } from '@sightline/platform/text/cut-to-bytes';

/** The result of a fetch. */
export type FetchEnd = { readonly pack: FetchedPack } | EndedBy;

/** The kubelet's size limit for a termination message, in bytes. */
const MAX_BYTES = 4096;
const MAX_MESSAGE_BYTES = 2048;
/** The maximum length of a license text, in UTF-16 units. */
const MAX_LICENSE = 256;

/** A fetched pack. */
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
    license: model.license.slice(0, MAX_LICENSE),
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

/** The reason and message of an error. The message of an unexpected error appears only in the log. */
export function failureOf(error: unknown): EndedBy {
  if (error instanceof ModelFetchFailed) {
    return {
      reason: toPascalCase(error.reason),
      message: cutToBytes(error.message, MAX_MESSAGE_BYTES),
    };
  }
  if (error instanceof StoreUnavailable) {
    return { reason: 'StoreUnavailable', message: error.message };
  }
  return {
    reason: 'FetchFailed',
    message: 'The fetch failed unexpectedly; see the log of its pod.',
  };
}

/**
 * The result as JSON that the kubelet does not cut. If it is too long, the list of components or the end of the message
 * is dropped, because these matter least.
 */
export function textOf(end: FetchEnd): string {
  const text = JSON.stringify(end);
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  if ('pack' in end) return JSON.stringify({ pack: { ...end.pack, components: [] } });
  // The message is shortened step by step until the text fits. Its length alone does not tell whether the text fits,
  // because JSON needs up to six bytes to escape one byte.
  const maxBytes = Buffer.byteLength(end.message) * 0.75;
  return textOf({ ...end, message: cutToBytes(end.message, maxBytes) });
}

/** Converts for example `no_space` to `NoSpace`. */
function toPascalCase(reason: FetchFailureReason): string {
  return reason
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');
}
