import type {
  AnalyzedFace,
  ImageAnalysis,
  JpegRendition,
} from '@sightline/core/analysis/image-analyzer';
import type { z } from 'zod';
import { fromFloatBytes, toFloatBytes } from './float-bytes.ts';
import { answerSchema, parseAs } from './head-schemas.ts';
import { encodeHead, parseHead, PREAMBLE_BYTES, readPreamble } from './preamble.ts';
import { MalformedMessage } from './wire-errors.ts';
import { WIRE_VERSIONS } from './wire-versions.ts';

type AnswerHead = z.output<typeof answerSchema>;
type RenditionHead = AnswerHead['boxCrops'][number];

/**
 * Returns the chunks of an answer, to be written in order. All chunks but the first are views of
 * the analysis. The binary parts are in the order in which the head lists them: embeddings and
 * crops of the faces, embeddings of the regions, crops of the objects, the source, crops of the
 * boxes.
 */
export function encodeAnswer(
  analysis: ImageAnalysis,
  version = Math.max(...WIRE_VERSIONS),
): readonly Uint8Array[] {
  const { image, faces, faceRegions, objects, source, boxCrops } = analysis;
  const parts: Uint8Array[] = [];
  const jpeg = (made: JpegRendition) => {
    parts.push(made.jpeg);
    return { width: made.width, height: made.height, bytes: made.jpeg.length };
  };
  const rendition = (made: JpegRendition | null) => made && jpeg(made);
  const vector = (embedding: Float32Array) => {
    parts.push(toFloatBytes(embedding));
    return embedding.length;
  };
  const head = {
    image,
    faces: faces && {
      model: faces.model,
      items: faces.items.map((face) => ({
        ...face,
        embedding: face.embedding && vector(face.embedding),
        crop: rendition(face.crop),
      })),
    },
    faceRegions: faceRegions && {
      model: faceRegions.model,
      items: faceRegions.items.map((region) => ({
        ...region,
        embedding: region.embedding && vector(region.embedding),
      })),
    },
    objects: objects && {
      model: objects.model,
      items: objects.items.map((object) => ({ ...object, crop: rendition(object.crop) })),
    },
    source: rendition(source),
    boxCrops: boxCrops.map(jpeg),
  };
  return [encodeHead('answer', head, version), ...parts];
}

/**
 * Decodes an answer. JPEGs are views of the given bytes, whereas embeddings are copies.
 *
 * @throws MalformedMessage; WireVersionMismatch
 */
export function decodeAnswer(bytes: Uint8Array, spoken = WIRE_VERSIONS): ImageAnalysis {
  const { headLength } = readPreamble(bytes, 'answer', spoken);
  const parts = new Parts(bytes, PREAMBLE_BYTES + headLength);
  const head: AnswerHead = parseAs(
    answerSchema,
    parseHead(bytes.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + headLength)),
  );
  const { image, faces, faceRegions, objects, source, boxCrops } = head;
  const analysis: ImageAnalysis = {
    image,
    faces: faces && {
      model: faces.model,
      items: faces.items.map((face): AnalyzedFace => ({
        ...face,
        embedding: parts.vector(face.embedding),
        crop: parts.rendition(face.crop),
      })),
    },
    faceRegions: faceRegions && {
      model: faceRegions.model,
      items: faceRegions.items.map((region) => ({
        ...region,
        embedding: parts.vector(region.embedding),
      })),
    },
    objects: objects && {
      model: objects.model,
      items: objects.items.map((object) => ({ ...object, crop: parts.rendition(object.crop) })),
    },
    source: parts.rendition(source),
    boxCrops: boxCrops.map((crop) => parts.jpeg(crop)),
  };
  parts.finish();
  return analysis;
}

class Parts {
  readonly #bytes: Uint8Array;
  #offset: number;

  /** @throws MalformedMessage if the head is incomplete */
  constructor(bytes: Uint8Array, offset: number) {
    if (offset > bytes.length) throw new MalformedMessage('The message is truncated.');
    this.#bytes = bytes;
    this.#offset = offset;
  }

  vector(length: number | null): Float32Array | null {
    return length === null ? null : fromFloatBytes(this.#take(4 * length));
  }

  rendition(head: RenditionHead | null): JpegRendition | null {
    return head && this.jpeg(head);
  }

  jpeg({ width, height, bytes }: RenditionHead): JpegRendition {
    return { jpeg: this.#take(bytes), width, height };
  }

  /** @throws MalformedMessage if bytes are left over */
  finish(): void {
    if (this.#offset === this.#bytes.length) return;
    throw new MalformedMessage('The message is longer than its head declares.');
  }

  #take(length: number): Uint8Array {
    const end = this.#offset + length;
    if (end > this.#bytes.length) throw new MalformedMessage('The message is truncated.');
    const part = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return part;
  }
}
