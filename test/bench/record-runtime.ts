import { InferenceSession } from 'onnxruntime-node';

/** One recorded call of the runtime with its tensors, which can be repeated. */
export type RuntimeCall = () => Promise<unknown>;

type RunSession = (this: InferenceSession, feeds: InferenceSession.FeedsType) => Promise<unknown>;

const sessions = (InferenceSession as unknown as { prototype: { run: RunSession } }).prototype;

/** Does some work and returns its calls of the runtime, in their order. */
export async function recordRuntime(work: () => Promise<unknown>): Promise<RuntimeCall[]> {
  const calls: RuntimeCall[] = [];
  const { run } = sessions;
  sessions.run = function (feeds) {
    const call = () => run.call(this, feeds);
    calls.push(call);
    return call();
  };
  try {
    await work();
  } finally {
    sessions.run = run;
  }
  return calls;
}
