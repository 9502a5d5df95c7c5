import { describe, expect, test } from '@jest/globals';
import { type StoredPhoto, type Upload, UploadQueue } from './upload-queue.ts';

const STORED: StoredPhoto = { imageId: 1, faces: 2, objects: 0, isKnown: false };
const BUSY = new Error('busy');

const photos = (count: number) =>
  Array.from({ length: count }, (_, index) => new File(['x'], `${index + 1}.jpg`));

/** A service whose answers the test gives. */
function openQueue() {
  const sent: {
    upload: Upload;
    answer: (stored: StoredPhoto) => void;
    refuse: (error: Error) => void;
  }[] = [];
  const rests: { ms: number; end: () => void }[] = [];
  const queue = new UploadQueue({
    send: (upload) =>
      new Promise((answer, refuse) => {
        sent.push({ upload, answer, refuse });
      }),
    retryAfter: (error) => (error === BUSY ? 7 : null),
    wait: (ms) =>
      new Promise((end) => {
        rests.push({ ms, end });
      }),
  });
  return { queue, sent, rests };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));
const states = ({ uploads }: UploadQueue) => uploads.map(({ state }) => state.name);

describe('uploads', () => {
  test('are sent three at a time, in order', async () => {
    const { queue, sent } = openQueue();
    queue.add(photos(5));
    expect(sent.map(({ upload }) => upload.file.name)).toEqual(['1.jpg', '2.jpg', '3.jpg']);
    sent[1]!.answer(STORED);
    await settle();
    expect(sent.map(({ upload }) => upload.file.name)).toEqual([
      '1.jpg',
      '2.jpg',
      '3.jpg',
      '4.jpg',
    ]);
    expect(states(queue)).toEqual(['sending', 'stored', 'sending', 'sending', 'waiting']);
  });

  test('that are refused stop no others, and can be sent again with the same key', async () => {
    const { queue, sent } = openQueue();
    queue.add(photos(2));
    sent[0]!.refuse(new Error('no picture'));
    sent[1]!.answer(STORED);
    await settle();
    expect(states(queue)).toEqual(['failed', 'stored']);
    expect(queue.progress).toMatchObject({ total: 2, stored: 1, failed: 1, isRunning: false });
    queue.retryFailed();
    expect(sent[2]!.upload.key).toBe(sent[0]!.upload.key);
    sent[2]!.answer(STORED);
    await settle();
    expect(queue.progress).toMatchObject({ stored: 2, failed: 0 });
  });

  test('wait for as long as a busy service asks, and go on by themselves', async () => {
    const { queue, sent, rests } = openQueue();
    queue.add(photos(4));
    sent[0]!.refuse(BUSY);
    sent[1]!.refuse(BUSY);
    await settle();
    expect(rests.map(({ ms }) => ms)).toEqual([7_000]);
    expect(states(queue)).toEqual(['waiting', 'waiting', 'sending', 'waiting']);
    rests[0]!.end();
    await settle();
    expect(sent).toHaveLength(5);
    expect(sent[3]!.upload.key).toBe(sent[0]!.upload.key);
  });

  test('can be paused: those in flight finish, and no others begin', async () => {
    const { queue, sent } = openQueue();
    queue.add(photos(4));
    queue.pause();
    for (const { answer } of sent) answer(STORED);
    await settle();
    expect(states(queue)).toEqual(['stored', 'stored', 'stored', 'waiting']);
    expect(queue.progress).toMatchObject({ isPaused: true, isRunning: true });
    queue.resume();
    expect(sent).toHaveLength(4);
  });

  test('that are stored can be forgotten', async () => {
    const { queue, sent } = openQueue();
    queue.add(photos(2));
    sent[0]!.answer(STORED);
    await settle();
    queue.removeStored();
    expect(queue.uploads.map(({ file }) => file.name)).toEqual(['2.jpg']);
  });

  test('end with the environment', async () => {
    const { queue, sent } = openQueue();
    queue.add(photos(4));
    queue.end();
    sent[0]!.refuse(new Error('aborted'));
    await settle();
    expect([sent.length, queue.uploads.length]).toEqual([3, 0]);
  });
});
