import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { checkOnnx } from '../onnx/check-onnx.ts';
import type { OnnxModel } from '../onnx/onnx-model.ts';
import { FileRefused } from '../onnx/file-refused.ts';
import { MAX_ONNX_BYTES, readOnnx } from '../onnx/read-onnx.ts';

export interface ModelFile {
  /** SHA-256 (hex) of exactly the bytes that were parsed. */
  readonly sha256: string;
  readonly model: OnnxModel;
}

/**
 * Reads a model file once: digest, structure and safety checks.
 *
 * @param expected the required digest, if known; a file with another digest is not parsed
 * @throws FileRefused if it is not a regular file, too large, has another digest, or is not a safe
 *   ONNX model
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
 * Reads a regular file. Symbolic links are refused, because they could lead out of the pack's
 * folder.
 *
 * @throws FileRefused
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) throw new FileRefused('does not exist');
  if (stats.isSymbolicLink()) {
    throw new FileRefused('is a symbolic link; the file itself must be in the folder');
  }
  if (!stats.isFile()) throw new FileRefused('is not a regular file');
  if (stats.size > maxBytes) throw new FileRefused(`is larger than ${maxBytes} bytes`);
  try {
    return await readFile(path);
  } catch (error) {
    throw new FileRefused('cannot be read', { cause: error });
  }
}
