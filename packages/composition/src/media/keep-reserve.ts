import type { MediaStore } from '@sightline/core/media/media-store';
import { DiskReserve } from '@sightline/media/fs/disk-reserve';

/**
 * Makes a media store refuse images when the disk of the embedded database has less free space than the reserve. That
 * disk may be another one than the disk of the images, and the rows of images would fill it.
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
