import { type ModelSession, openSession } from '../session.ts';

export function openBytes(bytes: Uint8Array): Promise<ModelSession> {
  return openSession({ file: 'model.onnx', bytes }, { provider: 'cpu', intraOpThreads: 1 });
}
