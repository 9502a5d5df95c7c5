import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { freshPhoto, people } from '../support/fixtures/draw-photo.ts';
import { preparedData } from '../support/fixtures/temporary-data.ts';
import { ok } from '../support/services/ok.ts';
import { startStandalone } from '../support/services/running-standalone.ts';
import { sampled } from '../support/gates/soak.ts';

/** The points and transactions of the deaths. The first transactions store effects, the later ones trees and their rest. */
const DEATHS = [
  { point: 'after', transaction: 1 },
  { point: 'before', transaction: 3 },
  { point: 'before', transaction: 1 },
  { point: 'after', transaction: 3 },
  ...[2, 4, 5, 6, 7, 8].flatMap((transaction) =>
    ['before', 'after'].map((point) => ({ point, transaction })),
  ),
];

test('a process that dies while it follows similarity is continued by the next one', async () => {
  await using data = await preparedData();
  for (const death of sampled(DEATHS, 2)) {
    const dying = await startStandalone(
      {
        SIGHTLINE_DATA: data.path,
        SIGHTLINE_TEST_DIE_AT: `${death.point}-similarity-commit`,
        SIGHTLINE_TEST_DIE_TIME: String(death.transaction),
      },
      { main: 'test/faults/dying-standalone.ts' },
    );
    const { client } = dying;
    const exit = once(dying.process, 'exit');
    const strangers = await freshPhoto({ faces: people(6) });
    ok(await client.detectFaces({ body: { file: strangers } }));
    dying.process.kill('SIGUSR2');
    const file = await freshPhoto({ faces: ['Ada'] });
    // The process may die before it answers.
    await client.enrollFace({ body: { name: 'Ada', file } }).catch(() => 'broken off');
    expect(await exit).toEqual([null, 'SIGKILL']);

    await using service = await startStandalone({ SIGHTLINE_DATA: data.path });
    expect({ death, found: await service.inconsistencies() }).toEqual({ death, found: [] });
  }
}, 600_000);
