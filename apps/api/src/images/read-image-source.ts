import type { ImageSourceNames } from '@sightline/contracts/recognition/image-source';
import type { UploadedImage } from '@sightline/core/recognition/read-posted';
import { ImageSourceInvalid, ImageTooLarge } from '@sightline/core/sources/image-errors';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import type { Base64Text } from '@sightline/platform/http/base64-text';
import type { UploadedFile } from '@sightline/platform/http/read-multipart';
import type { RequestBody } from '../http/define-route.ts';

export interface ImageReading {
  readonly fetchImage: (url: string, signal: AbortSignal) => Promise<ImageBytes>;
  readonly imageLimits: ImageLimits;
}

export type ReadImage = (signal: AbortSignal) => ImageBytes | Promise<ImageBytes>;

type ImageBytes = Uint8Array<ArrayBuffer>;

/**
 * Finds the source of an image in a request: a file, a URL or base64. The returned function can be called once. It
 * throws ImageSourceInvalid if the image is empty or not base64, ImageTooLarge, and the errors of the fetch.
 *
 * @throws ImageSourceInvalid unless exactly one source is given; an empty source counts as given
 */
export function findImageSource(
  reading: ImageReading,
  body: RequestBody,
  names: ImageSourceNames,
): ReadImage {
  const readers: ReadImage[] = body.files
    .filter((file) => file.field === names.file)
    .map((file) => () => readUpload(file, reading.imageLimits));
  const url = body.fields[names.url];
  if (typeof url === 'string') readers.push((signal) => reading.fetchImage(url, signal));
  const text = body.texts.get(names.base64);
  if (text !== undefined) readers.push(() => readText(text, names.base64, reading.imageLimits));
  return onlyOne(readers, `${names.file}, ${names.url} and ${names.base64}`);
}

/** @throws ImageSourceInvalid */
export function onlyOne<Source>(sources: readonly Source[], names: string): Source {
  const [source, ...others] = sources;
  if (source === undefined || others.length > 0) throw notOne(sources.length, names);
  return source;
}

export function notOne(count: number, names: string): ImageSourceInvalid {
  return new ImageSourceInvalid(`Exactly one of ${names} is required; ${count} were given.`);
}

/** An uploaded file as an image of a batch, which is read when its turn comes. */
export function imageOfBatch(file: UploadedFile, limits: ImageLimits): UploadedImage {
  return { source: () => readUpload(file, limits), size: file.tooLarge ? 0 : file.size };
}

/** @throws ImageTooLarge, ImageSourceInvalid for an empty file. */
async function readUpload(file: UploadedFile, limits: ImageLimits): Promise<ImageBytes> {
  if (file.tooLarge) throw tooLarge(limits);
  if (file.size === 0) throw new ImageSourceInvalid(`The file in ${file.field} is empty.`);
  return file.read();
}

/** @throws ImageTooLarge, ImageSourceInvalid for a text that is empty or not base64. */
export async function readText(
  text: Base64Text,
  name: string,
  limits: ImageLimits,
): Promise<ImageBytes> {
  if (!text.isValid) {
    throw new ImageSourceInvalid(`${name} is neither base64 nor a data URI.`);
  }
  if (text.size === 0) throw new ImageSourceInvalid(`${name} is empty.`);
  if (text.tooLarge) throw tooLarge(limits);
  return text.read();
}

function tooLarge(limits: ImageLimits): ImageTooLarge {
  return new ImageTooLarge(`The image has more than ${limits.maxBytes} bytes.`);
}
