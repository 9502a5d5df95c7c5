import { getStatsContract } from '@sightline/contracts/statistics/get-stats-contract';
import type { MediaStore } from '@sightline/core/media/media-store';
import { defineRoute } from '../../http/define-route.ts';
import { formatBytes } from './format-bytes.ts';

export const getStatsRoute = defineRoute(getStatsContract, {
  async handler({ database, media }, { scope, signal }) {
    const [totals, free] = await Promise.all([
      database.withScope(scope, ({ statistics }) => statistics.totals(), signal),
      freeBytes(media, signal),
    ]);
    return {
      status: 200,
      body: {
        identities: totals.faceIdentities + totals.objectIdentities,
        face_identities: totals.faceIdentities,
        object_identities: totals.objectIdentities,
        detections: totals.faceDetections + totals.objectDetections,
        face_detections: totals.faceDetections,
        object_detections: totals.objectDetections,
        source_images: totals.sourceImages,
        pending_review: totals.pendingReview,
        storage: formatBytes(totals.storageBytes),
        storage_bytes: totals.storageBytes,
        set_aside_bytes: totals.setAsideBytes,
        storage_free: free === null ? null : formatBytes(free),
        storage_free_bytes: free,
      },
    };
  },
});

const FREE_TIMEOUT_MS = 1_000;

/** Returns null if the media store cannot report free space, or is down. Statistics must not fail without the store. */
async function freeBytes(media: MediaStore, signal: AbortSignal): Promise<number | null> {
  try {
    return await media.freeBytes(AbortSignal.any([signal, AbortSignal.timeout(FREE_TIMEOUT_MS)]));
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
