import type { MediaStore } from '@sightline/core/media/media-store';
import { DiskReserve } from '@sightline/media/fs/disk-reserve';

/**
 * Makes a media store also require the reserve on the disk of an embedded database, which may be another disk than
 * that of the images: photos are refused before their rows fill that disk.
 *
 * @param folder the folder of the database
 * @returns the same store
 */
export function keepReserve<Store extends MediaStore>(
  media: Store,
  folder: string,
  bytes: number,
): Store {
  const reserve = new DiskReserve({ holds: 'database', folder, bytes });
  const requireAnswer = media.requireAnswer.bind(media);
  const check = media.check.bind(media);
  return Object.assign(media, {
    async requireAnswer(signal?: AbortSignal) {
      await requireAnswer(signal);
      await reserve.require(signal);
    },
    async check(signal?: AbortSignal) {
      await check(signal);
      await reserve.require(signal);
    },
  });
}
