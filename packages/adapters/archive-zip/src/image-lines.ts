import type { ArchivedContinuation } from '@sightline/contracts/archive/archived-continuation';
import type { ArchivedImage } from '@sightline/contracts/archive/archived-image';
import type { z } from 'zod';

type ImageRecord = z.input<typeof ArchivedImage>;

/** The length at which a line ends, in bytes. The line ends after the detection that reaches this length. */
const LINE_LENGTH = 256 * 1024;
/** The maximum number of rejections in one line. It keeps lines far below `MAX_LINE_BYTES`, the limit of readers. */
const REJECTIONS = 2000;

/** The JSON lines of one image: usually one line, more if the image has many detections or rejections. */
export function* imageLines({ detections, ...image }: ImageRecord): Generator<string> {
  const continued = `{"continues":${image.image},"more_rejected_from":[],"more_detections":`;
  let start = `${JSON.stringify(image).slice(0, -1)},"detections":`;
  let texts: string[] = [];
  let length = 0;
  for (const { rejected_from: all, ...detection } of detections) {
    const text = JSON.stringify({ ...detection, rejected_from: all.slice(0, REJECTIONS) });
    texts.push(text);
    length += Buffer.byteLength(text);
    if (length < LINE_LENGTH && all.length <= REJECTIONS) continue;
    yield `${start}[${texts.join(',')}]}`;
    yield* rejectionLines(image.image, all);
    start = continued;
    texts = [];
    length = 0;
  }
  if (texts.length > 0 || start !== continued) yield `${start}[${texts.join(',')}]}`;
}

/** The lines with the remaining rejections of a detection, which do not fit into the detection's own line. */
function* rejectionLines(
  image: number,
  all: ImageRecord['detections'][number]['rejected_from'],
): Generator<string> {
  for (let from = REJECTIONS; from < all.length; from += REJECTIONS) {
    const line: z.input<typeof ArchivedContinuation> = {
      continues: image,
      more_rejected_from: all.slice(from, from + REJECTIONS),
      more_detections: [],
    };
    yield JSON.stringify(line);
  }
}
