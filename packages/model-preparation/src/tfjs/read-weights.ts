import { FileRefused } from '@sightline/engine/onnx/file-refused';
import { decodeFloat16 } from './decode-float16.ts';
import type { WeightSpec } from './graph-model.ts';
import type { Constant } from './value.ts';

interface Encoding {
  readonly bytesPerValue: number;
  readonly decode: (bytes: Uint8Array) => Constant['data'];
}

/** The supported encodings by data type and quantization: only those that the published networks use. */
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  'float32 as float32': { bytesPerValue: 4, decode: decodeFloat32 },
  'float32 as float16': { bytesPerValue: 2, decode: decodeFloat16 },
  'int32 as int32': { bytesPerValue: 4, decode: decodeInt32 },
};

/**
 * Reads the weights of a graph model, and converts float16 to float32.
 *
 * @param bytes the concatenated files of the manifest
 * @returns the constants by name
 * @throws FileRefused if the number of bytes does not match the manifest, or an encoding is unknown
 */
export function readWeights(
  specs: readonly WeightSpec[],
  bytes: Uint8Array,
): ReadonlyMap<string, Constant> {
  const constants = new Map<string, Constant>();
  let offset = 0;
  for (const spec of specs) {
    const { bytesPerValue, decode } = encodingOf(spec);
    const count = spec.shape.reduce((product, length) => product * length, 1);
    const end = offset + count * bytesPerValue;
    if (end > bytes.length) throw wrongLength(specs, bytes);
    const data = decode(bytes.subarray(offset, end));
    constants.set(spec.name, { kind: 'constant', shape: spec.shape, data });
    offset = end;
  }
  if (offset !== bytes.length) throw wrongLength(specs, bytes);
  return constants;
}

function encodingOf({ name, dtype, quantization }: WeightSpec): Encoding {
  const encoding = `${dtype} as ${quantization?.dtype ?? dtype}`;
  const known = ENCODINGS[encoding];
  if (known === undefined) {
    throw new FileRefused(`has the weight ${JSON.stringify(name)} of ${encoding}`);
  }
  return known;
}

function wrongLength(specs: readonly WeightSpec[], { length }: Uint8Array): FileRefused {
  return new FileRefused(`does not describe ${length} bytes of weights in ${specs.length} tensors`);
}

function decodeFloat32(bytes: Uint8Array): Float32Array {
  const view = viewOf(bytes);
  const values = new Float32Array(bytes.length / 4);
  for (let i = 0; i < values.length; i++) values[i] = view.getFloat32(4 * i, true);
  return values;
}

function decodeInt32(bytes: Uint8Array): Int32Array {
  const view = viewOf(bytes);
  const values = new Int32Array(bytes.length / 4);
  for (let i = 0; i < values.length; i++) values[i] = view.getInt32(4 * i, true);
  return values;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
