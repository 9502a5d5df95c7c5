import { expect, test } from '@jest/globals';
import { WorkSharing } from './work-sharing.ts';

const ABORTED = new Error('no longer needed');
const NET = 'FaceRecognizer';

function openSharing() {
  const sharing = new WorkSharing(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  /** Begins a run of a network, as a session does. */
  const run = () => Promise.resolve().then(() => sharing.throwIfAborted());
  return { sharing, run };
}

test('no run begins for a job that was aborted', async () => {
  const { sharing, run } = openSharing();
  const job = { signal: AbortSignal.abort(ABORTED), share: () => undefined };
  await expect(sharing.during(job, run)).rejects.toBe(ABORTED);
  await run();
});

test('no run begins for help that was aborted', async () => {
  const { sharing, run } = openSharing();
  sharing.peersOf(NET).onWork(run);
  const work = { net: NET, work: null };
  await expect(sharing.help(work, AbortSignal.abort(ABORTED))).rejects.toBe(ABORTED);
  await sharing.help(work, new AbortController().signal);
  await run();
});
