import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInCompositions } from '../support/services/compositions.ts';
import { ok } from '../support/services/ok.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import type { RunningService } from '../support/services/running-service.ts';

/** A reader of the index, as the command prints it in JSON. */
interface ShownReader {
  readonly name: string;
  readonly state: string;
  readonly filledAt: string;
}

async function readersOf({ sightline }: Pick<RunningService, 'sightline'>): Promise<ShownReader[]> {
  return JSON.parse(await sightline('index', 'status', '--json')) as ShownReader[];
}

describeInCompositions('sightline index', (takeEnvironment) => {
  const resources = new AsyncDisposableStack();
  let service: RunningService;

  beforeAll(async () => {
    service = resources.use(await takeEnvironment());
    const file = await drawPhoto({ faces: ['Beatrice'] });
    ok(await service.client.enrollFace({ body: { name: 'Beatrice', file } }));
  });

  afterAll(() => resources.disposeAsync());

  test('status shows how each index stands, as health does', async () => {
    const readers = await readersOf(service);
    expect(readers.length).toBeGreaterThan(0);
    for (const reader of readers) expect(reader).toMatchObject({ state: 'filled', filling: null });
    const [head, ...rows] = (await service.sightline('index', 'status')).trim().split('\n');
    expect(head).toMatch(/^reader +state +backlog +draft points +filled +compared +drift +seen$/);
    expect(rows).toHaveLength(readers.length);
    for (const [at, row] of rows.entries()) expect(row).toContain(readers[at]!.name);
    expect(ok(await service.client.getHealth()).index).toMatchObject({ state: 'filled' });
  });

  test('rebuild --wait ends once all indexes are rebuilt, and searches find everyone during the rebuild', async () => {
    const before = new Map(
      (await readersOf(service)).map(({ name, filledAt }) => [name, filledAt]),
    );
    const file = await drawPhoto({ faces: ['Beatrice 2'] });
    let isDone = false;
    const identify = async () => {
      do {
        const { faces } = ok(await service.client.identifyFaces({ body: { file } }));
        expect(faces[0]).toMatchObject({ label: 'Beatrice' });
      } while (!isDone);
    };
    const rebuild = async () => {
      const printed = await service.sightline('index', 'rebuild', '--wait');
      isDone = true;
      expect(printed).toBe('The index is rebuilt.\n');
    };
    await Promise.all([identify(), rebuild().finally(() => (isDone = true))]);
    const after = await readersOf(service);
    expect(after.map(({ name }) => name)).toEqual([...before.keys()]);
    for (const { name, state, filledAt } of after) {
      expect(state).toBe('filled');
      expect(Date.parse(filledAt)).toBeGreaterThan(Date.parse(before.get(name)!));
    }
    expect(await service.inconsistencies()).toEqual([]);
  });
});
