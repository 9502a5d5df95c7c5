import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import { parseAs, requestSchema } from './head-schemas.ts';
import { encodeHead, parseHead, PREAMBLE_BYTES, readPreamble } from './preamble.ts';
import { MalformedMessage } from './wire-errors.ts';

/** The chunks of a request, to be written one after the other; the last is the image itself. */
export function encodeRequest({ image, ...head }: AnalysisRequest): readonly Uint8Array[] {
  return [encodeHead('request', head), image];
}

/**
 * Puts a request together from the pieces in which it arrives. The image gets memory of its own, in
 * its final place, so that it can be moved to another thread as it is.
 */
export class RequestReader {
  readonly #total: number;
  readonly #preamble = new Uint8Array(PREAMBLE_BYTES);
  /** Known when the preamble is there. */
  #body: { readonly head: Uint8Array; readonly image: Uint8Array<ArrayBuffer> } | null = null;
  #received = 0;

  /** @param total bytes of the whole message; the caller bounds it */
  constructor(total: number) {
    this.#total = total;
  }

  /** @throws MalformedMessage; WireVersionMismatch, as soon as it is known */
  push(chunk: Uint8Array): void {
    if (this.#received + chunk.length > this.#total) {
      throw new MalformedMessage('The message is longer than was said.');
    }
    let rest = this.#fill(this.#preamble, { from: 0, chunk });
    if (this.#received < PREAMBLE_BYTES) return;
    this.#body ??= this.#allocate();
    const { head, image } = this.#body;
    rest = this.#fill(head, { from: PREAMBLE_BYTES, chunk: rest });
    this.#fill(image, { from: PREAMBLE_BYTES + head.length, chunk: rest });
  }

  /** @throws MalformedMessage if something is missing or wrong */
  finish(): AnalysisRequest {
    if (this.#received < this.#total || this.#body === null) {
      throw new MalformedMessage('The message is cut off.');
    }
    const { head, image } = this.#body;
    const { faces, faceRegions, objects, renditions } = parseAs(requestSchema, parseHead(head));
    return {
      image,
      ...(faces && { faces }),
      ...(faceRegions && { faceRegions }),
      ...(objects && { objects }),
      ...(renditions && { renditions }),
    };
  }

  #allocate() {
    const headLength = readPreamble(this.#preamble, 'request');
    const imageLength = this.#total - PREAMBLE_BYTES - headLength;
    if (imageLength < 0) throw new MalformedMessage('The head is longer than the message.');
    return { head: new Uint8Array(headLength), image: new Uint8Array(imageLength) };
  }

  /** Copies what belongs to a part that begins at `from`; answers what is left of the chunk. */
  #fill(
    part: Uint8Array,
    { from, chunk }: { readonly from: number; readonly chunk: Uint8Array },
  ): Uint8Array {
    const missing = from + part.length - this.#received;
    if (missing <= 0 || chunk.length === 0) return chunk;
    const own = chunk.subarray(0, missing);
    part.set(own, this.#received - from);
    this.#received += own.length;
    return chunk.subarray(own.length);
  }
}
