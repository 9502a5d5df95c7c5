import { describe, expect, test } from '@jest/globals';
import { planUploads } from './plan-uploads.ts';
import { filesToSources, type StoredPhoto, type Upload, USUAL_CHOICES } from './upload.ts';
import { type ReportUpload, UploadQueue, type UploadUnit } from './upload-queue.ts';

const STORED: StoredPhoto = { imageId: 1, faces: 2, objects: 0, isKnown: false };
const BUSY = new Error('busy');
const REFUSED = new Error('refused');
const FORBIDDEN = new Error('forbidden');

const photos = (count: number) =>
  filesToSources(Array.from({ length: count }, (_, index) => new File(['x'], `${index + 1}.jpg`)));

/** A service whose answers the test gives. Up to five photos are sent one by one, more in fours. */
function openQueue() {
  const sent: {
    unit: UploadUnit;
    report: ReportUpload;
    end: () => void;
    refuse: (error: Error) => void;
  }[] = [];
  const rests: { ms: number; end: () => void }[] = [];
  const queue = new UploadQueue({
    plan: (waiting) => planUploads(waiting, { singles: 5, batch: 4, batchBytes: 1_000 }),
    send: (unit, report) =>
      new Promise((end, refuse) => {
        sent.push({ unit, report, end, refuse });
      }),
    retryAfter: (error) => (error === BUSY ? 7 : null),
    mayBeOfSome: (error) => error === REFUSED,
    wait: (ms) =>
      new Promise((end) => {
        rests.push({ ms, end });
      }),
  });
  const add = (count: number) => queue.add(photos(count), USUAL_CHOICES);
  const answer = (index: number) => {
    const { unit, report, end } = sent[index]!;
    for (const upload of unit.uploads) report(upload, { name: 'stored', stored: STORED });
    end();
  };
  const names = () =>
    sent.map(({ unit }) => unit.uploads.map(({ source }) => source.name.split('.', 1)[0]).join());
  return { queue, add, sent, answer, names, rests };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));
const states = ({ uploads }: UploadQueue) => uploads.map(({ state }: Upload) => state.name);

describe('uploads', () => {
  test('are sent three at a time, in order', async () => {
    const { queue, add, answer, names } = openQueue();
    add(5);
    expect(names()).toEqual(['1', '2', '3']);
    answer(1);
    await settle();
    expect(names()).toEqual(['1', '2', '3', '4']);
    expect(states(queue)).toEqual(['sending', 'stored', 'sending', 'sending', 'waiting']);
  });

  test('that are refused stop no others, and can be sent again with the same key', async () => {
    const { queue, add, sent, answer } = openQueue();
    add(2);
    sent[0]!.refuse(REFUSED);
    answer(1);
    await settle();
    expect(states(queue)).toEqual(['failed', 'stored']);
    expect(queue.progress).toMatchObject({ total: 2, stored: 1, failed: 1, left: 0 });
    queue.retryFailed();
    expect(sent[2]!.unit.key).toBe(sent[0]!.unit.key);
    answer(2);
    await settle();
    expect(queue.progress).toMatchObject({ stored: 2, failed: 0 });
  });

  test('wait for as long as a busy service asks, and go on by themselves', async () => {
    const { queue, add, sent, names, rests } = openQueue();
    add(4);
    sent[0]!.refuse(BUSY);
    sent[1]!.refuse(BUSY);
    await settle();
    expect(rests.map(({ ms }) => ms)).toEqual([7_000]);
    expect(queue.progress).toMatchObject({ failed: 0, left: 4 });
    rests[0]!.end();
    await settle();
    expect(names()).toEqual(['1', '2', '3', '1', '2']);
    expect(sent[3]!.unit.key).toBe(sent[0]!.unit.key);
  });

  test('can be paused: those on their way finish, and no others begin', async () => {
    const { queue, add, sent, answer } = openQueue();
    add(4);
    queue.pause();
    for (const index of sent.keys()) answer(index);
    await settle();
    expect(states(queue)).toEqual(['stored', 'stored', 'stored', 'waiting']);
    expect(queue.progress).toMatchObject({ isPaused: true, left: 1 });
    queue.resume();
    expect(sent).toHaveLength(4);
  });

  test('that have ended can be forgotten', async () => {
    const { queue, add, sent, answer } = openQueue();
    add(2);
    answer(0);
    await settle();
    queue.remove('stored');
    expect(queue.uploads.map(({ source }) => source.name)).toEqual(['2.jpg']);
    sent[1]!.refuse(REFUSED);
    await settle();
    queue.remove('failed');
    expect(queue.progress).toMatchObject({ total: 0, failed: 0, left: 0 });
  });

  test('end with the environment', async () => {
    const { queue, add, sent } = openQueue();
    add(4);
    queue.end();
    sent[0]!.refuse(new Error('aborted'));
    sent[1]!.report(sent[1]!.unit.uploads[0]!, { name: 'stored', stored: STORED });
    await settle();
    expect([sent.length, queue.uploads.length]).toEqual([3, 0]);
  });
});

describe('many uploads', () => {
  test('are sent in parts, two at a time, and the last ones one by one', async () => {
    const { queue, add, answer, names } = openQueue();
    add(14);
    expect(names()).toEqual(['1,2,3,4', '5,6,7,8']);
    answer(0);
    await settle();
    expect(names().slice(2)).toEqual(['9,10,11,12', '13']);
    answer(1);
    answer(2);
    answer(3);
    await settle();
    expect(names().slice(4)).toEqual(['14']);
    answer(4);
    await settle();
    expect(queue.progress).toMatchObject({ stored: 14, left: 0 });
  });

  test('fail one by one, each for its own reason', async () => {
    const { queue, add, sent } = openQueue();
    add(6);
    const { unit, report, end } = sent[0]!;
    const [first, second, third, fourth] = unit.uploads;
    report(first!, { name: 'failed', error: REFUSED });
    report(second!, { name: 'queued' });
    report(third!, { name: 'stored', stored: STORED });
    report(fourth!, { name: 'stored', stored: STORED });
    expect(states(queue).slice(0, 4)).toEqual(['failed', 'queued', 'stored', 'stored']);
    report(second!, { name: 'stored', stored: STORED });
    end();
    await settle();
    expect(queue.progress).toMatchObject({ stored: 3, failed: 1 });
  });

  test('are repeated with the same photos and the same key after an interruption', async () => {
    const { queue, add, sent, names, rests } = openQueue();
    add(9);
    sent[0]!.report(sent[0]!.unit.uploads[0]!, { name: 'stored', stored: STORED });
    sent[0]!.refuse(BUSY);
    await settle();
    queue.retryFailed();
    rests[0]!.end();
    await settle();
    expect(names()).toEqual(['1,2,3,4', '5', '6', '1,2,3,4']);
    expect(sent[3]!.unit.key).toBe(sent[0]!.unit.key);
  });

  test('that are refused together are sent one by one', async () => {
    const { queue, add, sent, names } = openQueue();
    add(6);
    sent[0]!.refuse(REFUSED);
    await settle();
    expect(names().slice(1)).toEqual(['5', '6', '1']);
    sent[1]!.refuse(REFUSED);
    await settle();
    expect(names().slice(4)).toEqual(['2']);
    expect(states(queue)[4]).toBe('failed');
  });

  test('that nobody may send fail at once', async () => {
    const { queue, add, sent } = openQueue();
    add(6);
    sent[0]!.refuse(FORBIDDEN);
    await settle();
    expect(states(queue).slice(0, 4)).toEqual(['failed', 'failed', 'failed', 'failed']);
  });
});
