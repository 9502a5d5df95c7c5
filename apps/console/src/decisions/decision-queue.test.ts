import { beforeEach, describe, expect, test } from '@jest/globals';
import { DecisionQueue, type Outcome } from './decision-queue.ts';
import type { Decision, SeenState, Verdict } from './decision-state.ts';

const BUSY = new Error('busy');
const GONE = new Error('deleted elsewhere');
const SEEN: SeenState = { status: 'pending' };
const REJECT: Verdict = { kind: 'reject' };
const named = (name: string): Verdict => ({ kind: 'name', name });

interface Request {
  readonly decision: Decision;
  readonly begin: () => void;
  readonly answer: (operationId: number | null) => void;
  readonly fail: (error: Error) => void;
}

/** A service whose answers the test gives. */
class FakeService {
  readonly requests: Request[] = [];
  readonly rests: { readonly ms: number; readonly end: () => void }[] = [];
  readonly ended: (readonly [face: number, outcome: Outcome['kind']])[] = [];
  stored: readonly Decision[] = [];
  now = 0;
  /** Whether requests stay at reading the face until the test begins them. */
  isReading = false;
  #ids = 0;

  open(): DecisionQueue {
    const queue = new DecisionQueue({
      send: (decision, begin) => {
        if (!this.isReading) begin();
        return new Promise((answer, fail) => {
          this.requests.push({ decision, begin, answer, fail });
        });
      },
      judge: (error, failures) =>
        error === BUSY ? failures + 1 : error === GONE ? 'elsewhere' : 'refused',
      store: (unanswered) => {
        this.stored = unanswered;
      },
      stored: this.stored,
      createId: () => `id-${++this.#ids}`,
      wait: (ms) =>
        new Promise((end) => {
          this.rests.push({ ms, end });
        }),
      now: () => this.now,
    });
    queue.onEnd(({ face }, { kind }) => this.ended.push([face, kind]));
    queue.start();
    return queue;
  }

  get faces(): number[] {
    return this.requests.map(({ decision }) => decision.face);
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('decisions', () => {
  let service: FakeService;
  let queue: DecisionQueue;
  beforeEach(() => {
    service = new FakeService();
    queue = service.open();
  });
  const decide = (face: number, verdict: Verdict = REJECT) => queue.decide(face, verdict, SEEN);

  test('are sent in their order, four at a time', async () => {
    for (const face of [1, 2, 3, 4, 5, 6]) decide(face);
    expect(service.faces).toEqual([1, 2, 3, 4]);
    service.requests[2]!.answer(70);
    await settle();
    expect(service.faces).toEqual([1, 2, 3, 4, 5]);
    expect(queue.progress.unanswered).toBe(5);
    expect(service.ended).toEqual([[3, 'done']]);
  });

  test('about one face or one new name follow each other', async () => {
    decide(1, named('Ada'));
    decide(2, named('ada'));
    decide(1);
    decide(3);
    expect(service.faces).toEqual([1, 3]);
    service.requests[0]!.answer(70);
    await settle();
    expect(service.faces).toEqual([1, 3, 2, 1]);
  });

  test('wait while the service cannot answer, and go on in the same order with the same keys', async () => {
    for (const face of [1, 2, 3]) decide(face);
    for (const { fail } of service.requests) fail(BUSY);
    await settle();
    decide(4);
    expect(service.faces).toEqual([1, 2, 3]);
    expect(service.rests).toHaveLength(1);
    expect(queue.progress).toMatchObject({ unanswered: 4, obstacle: BUSY });
    service.rests[0]!.end();
    await settle();
    expect(service.faces).toEqual([1, 2, 3, 1, 2, 3, 4]);
    expect(service.requests[3]!.decision.id).toBe(service.requests[0]!.decision.id);
    service.requests[3]!.fail(BUSY);
    await settle();
    expect(service.rests.map(({ ms }) => ms)).toEqual([1000, 2000]);
  });

  test('that are refused come back on top with the reason, and stop no others', async () => {
    decide(1);
    decide(2);
    service.requests[0]!.fail(new Error('no'));
    service.requests[1]!.answer(70);
    await settle();
    expect(queue.state.returned).toEqual([{ face: 1, error: new Error('no') }]);
    expect([...queue.state.decided]).toEqual([2]);
    decide(1, named('Bo'));
    expect(queue.state.returned).toEqual([]);
  });

  test('that others have made before are passed over', async () => {
    decide(1);
    service.requests[0]!.fail(GONE);
    await settle();
    expect(service.ended).toEqual([[1, 'elsewhere']]);
    expect([...queue.state.decided]).toEqual([1]);
    expect(queue.progress.unanswered).toBe(0);
  });

  test('outlive a reload, and are sent again with the same keys', () => {
    decide(1);
    decide(2, named('Ada'));
    const reloaded = service.open();
    expect([...reloaded.state.decided]).toEqual([1, 2]);
    expect(service.requests.map(({ decision: { id } }) => id)).toEqual([
      'id-1',
      'id-2',
      'id-1',
      'id-2',
    ]);
    expect(service.requests[2]!.decision.wasSent).toBe(true);
  });

  test('that were read only are read again, and are taken back without a request', async () => {
    service.isReading = true;
    const id = decide(1);
    expect(service.stored[0]!.wasSent).toBe(false);
    service.requests[0]!.fail(BUSY);
    await settle();
    service.rests[0]!.end();
    await settle();
    expect(service.requests[1]!.decision.wasSent).toBe(false);
    queue.takeBack(id, 1);
    expect(service.requests[1]!.begin).toThrow();
    expect(queue.progress.unanswered).toBe(0);
    expect(queue.state.returned).toEqual([{ face: 1, error: null }]);
  });

  test('that are being taken back leave their faces open', () => {
    const id = decide(1);
    queue.takeBack(id, 1);
    queue.forgetDecided();
    expect([...queue.state.decided]).toEqual([]);
    expect([...service.open().state.decided]).toEqual([]);
  });

  test('that were not sent are taken back without a request', () => {
    for (const face of [1, 2, 3, 4]) decide(face);
    const id = decide(5);
    queue.takeBack(id, 5);
    expect(queue.progress.unanswered).toBe(4);
    expect(queue.state.returned).toEqual([{ face: 5, error: null }]);
  });

  test('on their way are taken back once their operation is known', async () => {
    const id = decide(1);
    queue.takeBack(id, 1);
    expect(service.faces).toEqual([1]);
    expect([...queue.state.decided]).toEqual([]);
    service.requests[0]!.answer(70);
    await settle();
    expect(service.requests[1]!.decision.verdict).toEqual({
      kind: 'undo',
      undoes: id,
      operationId: 70,
    });
  });

  test('that changed nothing need no undo', async () => {
    const id = decide(1);
    queue.takeBack(id, 1);
    service.requests[0]!.answer(null);
    await settle();
    expect(queue.progress.unanswered).toBe(0);
    queue.takeBack(id, 1);
    expect(queue.progress.unanswered).toBe(0);
  });

  test('that were carried out are taken back by their operation, and can be made again after it', async () => {
    const id = decide(1);
    service.requests[0]!.answer(70);
    await settle();
    queue.takeBack(id, 1);
    decide(1, named('Ada'));
    expect(service.requests).toHaveLength(2);
    service.requests[1]!.answer(71);
    await settle();
    expect(service.requests[2]!.decision.verdict).toEqual(named('Ada'));
  });

  test('of faces that are read again count only while they are on their way', async () => {
    decide(1);
    decide(2);
    service.requests[0]!.answer(70);
    await settle();
    queue.forgetDecided();
    expect([...queue.state.decided]).toEqual([2]);
  });

  test('that can no longer be taken back leave nothing behind, however long the session is', async () => {
    const carriedOut = decide(1);
    const onItsWay = decide(2);
    const elsewhere = decide(3);
    const refused = decide(4);
    service.requests[0]!.answer(70);
    await settle();
    expect(queue.state.operations.get(carriedOut)).toBe(70);
    queue.forgetOperation(onItsWay);
    service.requests[1]!.answer(71);
    service.requests[2]!.fail(GONE);
    service.requests[3]!.fail(new Error('no'));
    await settle();
    for (const id of [elsewhere, refused]) queue.forgetOperation(id);
    queue.takeBack(carriedOut, 1);
    service.requests[4]!.answer(72);
    await settle();
    expect(queue.state.operations.size).toBe(0);
    expect(queue.progress.unanswered).toBe(0);
  });

  test('have a rate as long as the person goes on', () => {
    decide(1);
    expect(queue.progress.rate).toBeNull();
    service.now = 500;
    decide(2);
    expect(queue.progress.rate).toBe(2);
    service.now = 60_000;
    queue.forgetDecided();
    expect(queue.progress.rate).toBeNull();
  });
});
