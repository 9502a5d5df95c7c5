import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ModelSession, openSession } from '../session.ts';

export async function openFile(path: string): Promise<ModelSession> {
  const source = { file: basename(path), bytes: await readFile(path) };
  return openSession(source, { provider: 'cpu', intraOpThreads: 1 });
}
