import { z } from 'zod';
import type { BodyContract } from '../define-contract.ts';
import { HTTP_ADDRESS } from '../text.ts';
import { MAX_JSON_IMAGES_BYTES } from './batch-limits.ts';

/** The names of the three members that can contain an image. A request must contain exactly one of the three. */
export interface ImageSourceNames {
  readonly file: string;
  readonly url: string;
  readonly base64: string;
}

export const IMAGE = { file: 'file', url: 'image_url', base64: 'image_base64' } as const;
export const FIRST_IMAGE = {
  file: 'file1',
  url: 'image1_url',
  base64: 'image1_base64',
} as const;
export const SECOND_IMAGE = {
  file: 'file2',
  url: 'image2_url',
  base64: 'image2_base64',
} as const;

export const imageFile = z.file().describe('The encoded image.');

export const imageUrl = z
  .url()
  .refine((text) => !/^\s*data:/i.test(text), {
    error: ({ path }) =>
      `Expected an http or https URL; a data URI belongs in ${fieldOfBase64(path ?? [])}`,
    abort: true,
  })
  .max(8192)
  .meta({
    pattern: HTTP_ADDRESS,
    description:
      'URL of the image, http or https, from which the service fetches the image. A user name and password in it are sent as Basic authorization, to its origin alone.',
  });

/** The field for base64 that belongs to the field of a URL. */
function fieldOfBase64(path: readonly PropertyKey[]): string {
  const name = path.findLast((step) => typeof step === 'string') ?? '';
  return name === 'image_urls' ? 'images.*.image_base64' : name.replace(/url$/, 'base64');
}

export const imageBase64 = z.string().meta({
  minLength: 1,
  description:
    'The encoded image in base64 or as a data URI (`data:image/…;base64,…`); the bytes decide the format.',
});

const MIB = 1024 * 1024;

/** A request body with one or two images and with other fields, as a form or as JSON. */
export function imageBody<F extends z.ZodObject, G extends z.ZodObject>(parts: {
  readonly images: readonly [ImageSourceNames] | readonly [ImageSourceNames, ImageSourceNames];
  readonly fields: F;
  readonly files: G;
}): BodyContract & { readonly fields: F; readonly files: G } {
  return {
    maxBytes: {
      'multipart/form-data': 96 * MIB,
      // An image may have 25 MiB, and base64 needs four characters for three bytes.
      'application/json': parts.images.length === 1 ? 36 * MIB : MAX_JSON_IMAGES_BYTES,
    },
    fields: parts.fields,
    files: parts.files,
    imageTexts: parts.images.map(({ base64 }) => base64),
    exactlyOneOf: parts.images.map(({ file, url, base64 }) => [file, url, base64]),
  };
}
