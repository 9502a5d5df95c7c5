import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import { parseAs, requestSchema } from './head-schemas.ts';
import { encodeHead, parseHead, PREAMBLE_BYTES, readPreamble } from './preamble.ts';
import { MalformedMessage } from './wire-errors.ts';

/** What travels in the message; the tenant travels in a header. */
type WireRequest = Omit<AnalysisRequest, 'tenant'>;

/** The chunks of a request, to be written in order; the last one is the image itself. */
export function encodeRequest({ image, ...head }: WireRequest): readonly Uint8Array[] {
  return [encodeHead('request', head), image];
}

/**
 * Assembles a request from chunks as they arrive. The image gets its own buffer at its final size,
 * so that it can be transferred to another thread.
 */
export class RequestReader {
  readonly #total: number;
  readonly #preamble = new Uint8Array(PREAMBLE_BYTES);
  /** Allocated when the preamble is complete. */
  #body: { readonly head: Uint8Array; readonly image: Uint8Array<ArrayBuffer> } | null = null;
  #received = 0;

  /** @param total length of the whole message in bytes, which the caller has limited */
  constructor(total: number) {
    this.#total = total;
  }

  /** @throws MalformedMessage; WireVersionMismatch, as soon as they are detected */
  push(chunk: Uint8Array): void {
    if (this.#received + chunk.length > this.#total) {
      throw new MalformedMessage('The message is longer than announced.');
    }
    let rest = this.#fill(this.#preamble, { from: 0, chunk });
    if (this.#received < PREAMBLE_BYTES) return;
    this.#body ??= this.#allocate();
    const { head, image } = this.#body;
    rest = this.#fill(head, { from: PREAMBLE_BYTES, chunk: rest });
    this.#fill(image, { from: PREAMBLE_BYTES + head.length, chunk: rest });
  }

  /** @throws MalformedMessage if the message is incomplete or invalid */
  finish(): WireRequest {
    if (this.#received < this.#total || this.#body === null) {
      throw new MalformedMessage('The message is truncated.');
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

  /** Copies the bytes of a part that begins at `from`; returns the rest of the chunk. */
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
