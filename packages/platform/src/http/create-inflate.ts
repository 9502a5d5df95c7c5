import { Duplex, pipeline } from 'node:stream';
import { createInflate as createZlibInflate, createInflateRaw } from 'node:zlib';

/**
 * The compression method in the lower half of the first byte of the zlib format. No encoder begins a plain deflate stream
 * with it: these bits would mean an uncompressed block with padding that is not zero.
 */
const [METHOD, METHOD_MASK] = [0x08, 0x0f];

/**
 * Creates the decoder of the content coding `deflate`: of the zlib format (RFC 1950), and of a deflate stream without its
 * header (RFC 1951), which many clients and servers send.
 */
export function createInflate(): Duplex {
  return Duplex.from(inflate);
}

async function* inflate(sent: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = sent[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  const { value: first } = await chunks.next();
  if (first === undefined) return;
  const isZlib = (first[0]! & METHOD_MASK) === METHOD;
  const decoder = isZlib ? createZlibInflate() : createInflateRaw();
  const all = async function* () {
    yield first;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  // The iteration below gets the error.
  pipeline(all, decoder, () => undefined);
  yield* decoder;
}
