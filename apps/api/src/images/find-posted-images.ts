import { IMAGE } from '@sightline/contracts/recognition/image-source';
import type { NamedImage } from '@sightline/core/recognition/detect-bulk';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import type { RequestBody } from '../http/define-route.ts';
import { maskCredentials } from './mask-credentials.ts';
import { imageOfBatch, notOne, onlyOne, type ReadImage, readText } from './read-image-source.ts';

type BatchBody = RequestBody<{
  readonly image_urls?: readonly string[] | undefined;
  readonly images?: readonly BatchMember[] | undefined;
}>;

interface BatchMember {
  readonly image_url?: string | undefined;
  readonly external_ref?: string | undefined;
}

/**
 * Finds the images of a batch, and does not read them yet. Reading an image fails if the request gives none or several
 * sources for it.
 *
 * @throws ImageSourceInvalid unless exactly one kind of images is given
 */
export function findPostedImages(body: BatchBody, limits: ImageLimits): readonly NamedImage[] {
  const { image_urls: urls, images } = body.fields;
  const files = body.files.filter(({ field }) => field === IMAGE.file);
  const kinds = [
    ...(files.length > 0 ? [files.map((file) => inFile(file, limits))] : []),
    ...(urls === undefined ? [] : [urls.map(atUrl)]),
    ...(images === undefined ? [] : [images.map((_, index) => inMember(body, index, limits))]),
  ];
  return onlyOne(kinds, `${IMAGE.file}, image_urls and images`);
}

function inFile(file: BatchBody['files'][number], limits: ImageLimits): NamedImage {
  return { name: { filename: nameOf(file) }, ...imageOfBatch(file, limits) };
}

/** The name of a file without null characters and unpaired surrogates, which the database cannot store. */
function nameOf({ filename }: BatchBody['files'][number]): string | null {
  return filename === '' ? null : filename.replaceAll('\0', '\ufffd').toWellFormed();
}

function atUrl(given: string): NamedImage {
  return { name: { imageUrl: maskCredentials(given) }, source: fetchable(given) };
}

function inMember({ fields, texts }: BatchBody, index: number, limits: ImageLimits): NamedImage {
  const { image_url: given, external_ref: externalRef } = fields.images![index]!;
  const text = texts.get(`images.${index}.${IMAGE.base64}`);
  const read: ReadImage | undefined = text && (() => readText(text, IMAGE.base64, limits));
  const name = given === undefined ? {} : { imageUrl: maskCredentials(given) };
  const sources = [given && fetchable(given), read].filter((source) => source !== undefined);
  const [source, ...others] = sources;
  if (source !== undefined && others.length === 0) return { name, externalRef, source };
  const error = notOne(sources.length, `${IMAGE.url} and ${IMAGE.base64}`);
  return { name, externalRef, source: () => Promise.reject(error) };
}

/** A text that is no URL fails when it is fetched. Until then a row may contain it, so its credentials are masked. */
function fetchable(given: string): string {
  return URL.canParse(given) ? given : maskCredentials(given);
}
