import { HEAD_BYTES, pictureFormat } from './picture-format.ts';

/** Why a file is not sent. */
export type PhotoFault = 'empty' | 'no_picture' | 'too_large' | 'unreadable';

/** The file cannot be a photo that the service accepts, so it is not sent. */
export class PhotoFaultError extends Error {
  override readonly name = 'PhotoFaultError';
  readonly fault: PhotoFault;

  constructor(fault: PhotoFault) {
    super(`The file is not sent: ${fault}.`);
    this.fault = fault;
  }
}

/**
 * Reads the first bytes of a file, and no others.
 *
 * @param maxBytes the size of the largest image that the service accepts; null if it is not known
 * @throws PhotoFaultError
 */
export async function checkPhoto(file: Blob, maxBytes: number | null): Promise<void> {
  if (file.size === 0) throw new PhotoFaultError('empty');
  if (maxBytes !== null && file.size > maxBytes) throw new PhotoFaultError('too_large');
  if (pictureFormat(await headOf(file)) === null) throw new PhotoFaultError('no_picture');
}

/** A file that was moved or deleted since it was chosen cannot be read. */
async function headOf(file: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  } catch {
    throw new PhotoFaultError('unreadable');
  }
}
