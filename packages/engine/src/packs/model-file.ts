import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { checkOnnx } from '../onnx/check-onnx.ts';
import type { OnnxModel } from '../onnx/onnx-model.ts';
import { FileRefused } from '../onnx/file-refused.ts';
import { MAX_ONNX_BYTES, readOnnx } from '../onnx/read-onnx.ts';

export interface ModelFile {
  /** Digest of the very bytes that were parsed, hex. */
  readonly sha256: string;
  readonly model: OnnxModel;
}

/**
 * Reads a model file once: digest, structure and checks.
 *
 * @param expected the digest that the file has to have, if it is known; another one is not parsed
 * @throws FileRefused if it is no regular file, too large, other bytes, no ONNX model, or unsafe
 */
export async function readModelFile(path: string, expected?: string): Promise<ModelFile> {
  const bytes = await readRegularFile(path, MAX_ONNX_BYTES);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (expected !== undefined && sha256 !== expected) {
    throw new FileRefused(`has the digest ${sha256} instead of ${expected}`);
  }
  const model = readOnnx(bytes);
  checkOnnx(model);
  return { sha256, model };
}

/**
 * Reads a file that lies where it says: a symbolic link could lead out of the pack's folder.
 *
 * @throws FileRefused
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) throw new FileRefused('does not exist');
  if (stats.isSymbolicLink()) {
    throw new FileRefused('is a link; the file itself has to lie in the folder');
  }
  if (!stats.isFile()) throw new FileRefused('is not a regular file');
  if (stats.size > maxBytes) throw new FileRefused(`is larger than ${maxBytes} bytes`);
  try {
    return await readFile(path);
  } catch (error) {
    throw new FileRefused('cannot be read', { cause: error });
  }
}
