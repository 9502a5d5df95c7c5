import { createHash } from 'node:crypto';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOnnx } from '../onnx/check-onnx.ts';
import type { OnnxModel } from '../onnx/onnx-model.ts';
import { FileRefused } from '../onnx/file-refused.ts';
import { MAX_ONNX_BYTES, readOnnx } from '../onnx/read-onnx.ts';
import type { PackFile } from './pack-files.ts';

/** The largest size in bytes of a tokenizer file: eight times the size of CLIP's largest published one. */
const MAX_TOKENIZER_BYTES = 32 * 1024 * 1024;

export interface ModelFile {
  /** The SHA-256 (hex) of exactly the bytes that were parsed. */
  readonly sha256: string;
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  readonly model: OnnxModel;
}

/**
 * Reads a model file once, and checks its digest, structure and safety.
 *
 * @param expected the required digest, if known; a file with another digest is not parsed
 * @throws FileRefused if the file is not regular, is too large, has another digest, or is not a
 *   safe ONNX model
 */
export async function readModelFile(path: string, expected?: string): Promise<ModelFile> {
  const { bytes, sha256 } = await readFileOf(path, MAX_ONNX_BYTES, expected);
  const model = readOnnx(bytes);
  checkOnnx(model);
  return { sha256, bytes, model };
}

/**
 * Reads a file of a tokenizer, which is JSON or text. The caller parses the file.
 *
 * @param expected as for {@link readModelFile}
 * @throws FileRefused if the file is not regular, is too large, or has another digest
 */
export function readTokenizerFile(
  path: string,
  expected?: string,
): Promise<Pick<ModelFile, 'sha256' | 'bytes'>> {
  return readFileOf(path, MAX_TOKENIZER_BYTES, expected);
}

/**
 * Reads a file that a manifest names.
 *
 * @throws FileRefused
 */
export async function readPackFile(
  directory: string,
  { file, sha256 }: PackFile,
): Promise<Uint8Array<SharedArrayBuffer>> {
  const read = file.endsWith('.onnx') ? readModelFile : readTokenizerFile;
  return (await read(join(directory, file), sha256)).bytes;
}

async function readFileOf(path: string, maxBytes: number, expected: string | undefined) {
  const bytes = await readRegularFile(path, maxBytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (expected !== undefined && sha256 !== expected) {
    throw new FileRefused(`has the digest ${sha256} instead of ${expected}`);
  }
  return { bytes, sha256 };
}

/**
 * Reads a regular file into memory that threads can share. Symbolic links are rejected because they
 * could lead out of the pack's folder.
 *
 * @throws FileRefused
 */
export async function readRegularFile(
  path: string,
  maxBytes: number,
): Promise<Uint8Array<SharedArrayBuffer>> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null) throw new FileRefused('does not exist');
  if (stats.isSymbolicLink()) {
    throw new FileRefused('is a symbolic link; the file itself must be in the folder');
  }
  if (!stats.isFile()) throw new FileRefused('is not a regular file');
  if (stats.size > maxBytes) throw new FileRefused(`is larger than ${maxBytes} bytes`);
  try {
    await using file = await open(path);
    return await readAll(file, stats.size);
  } catch (error) {
    throw new FileRefused('cannot be read', { cause: error });
  }
}

/** @throws Error if the file became shorter, for example because another process replaces it */
async function readAll(file: FileHandle, size: number): Promise<Uint8Array<SharedArrayBuffer>> {
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(bytes, at, size - at, at);
    if (bytesRead === 0) throw new Error(`The file ends after ${at} of ${size} bytes.`);
    at += bytesRead;
  }
  return bytes;
}
