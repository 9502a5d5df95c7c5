import type { MediaStore } from '@sightline/core/media/media-store';
import { DiskReserve } from '@sightline/media/fs/disk-reserve';

/**
 * Makes a media store refuse images while the disk of the embedded database lacks its reserve of free space. Otherwise
 * the rows of new images would fill that disk, which may differ from the disk of the images.
 *
 * @param folder the folder of the database
 * @param bytes the size of the reserve
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
