import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelSession, openSession } from '../session.ts';

/** Loads a model from memory. The runtime needs the file only while it loads. */
export async function openBytes(bytes: Uint8Array): Promise<ModelSession> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-onnx-'));
  try {
    const path = join(folder, 'model.onnx');
    await writeFile(path, bytes);
    return await openSession(path, { provider: 'cpu', intraOpThreads: 1 });
  } finally {
    await rm(folder, { recursive: true });
  }
}
