import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { freshPhoto, people } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import { sampled } from '../support/gates/soak.ts';
import { type Death, openDyingLibrary } from './dying-library.ts';
import { MANY_STARTS_MS } from '../support/waits/limits.ts';

const before = (time: number): Death => ({ point: 'before-similarity-commit', time });
const after = (time: number): Death => ({ point: 'after-similarity-commit', time });
/** The points and transactions of the deaths. The first transactions store effects, the later ones trees and their rest. */
const DEATHS = sampled(
  [
    after(1),
    before(3),
    before(1),
    after(3),
    ...[2, 4, 5, 6, 7, 8].flatMap((time) => [before(time), after(time)]),
  ],
  2,
);

test(
  'a process that dies while it follows similarity is continued by the next one',
  async () => {
    await using library = await openDyingLibrary();
    await using services = new AsyncDisposableStack();
    let service = services.use(await library.start(DEATHS[0]));
    for (const [turn, death] of DEATHS.entries()) {
      const { client } = service;
      const exit = once(service.process, 'exit');
      const strangers = await freshPhoto({ faces: people(6) });
      ok(await client.detectFaces({ body: { file: strangers } }));
      service.process.kill('SIGUSR2');
      const file = await freshPhoto({ faces: ['Ada'] });
      // The process may die before it answers.
      await client.enrollFace({ body: { name: 'Ada', file } }).catch(() => 'broken off');
      expect(await exit).toEqual([null, 'SIGKILL']);

      service = services.use(await library.start(DEATHS[turn + 1]));
      expect({ death, found: await library.inconsistencies() }).toEqual({ death, found: [] });
    }
  },
  MANY_STARTS_MS,
);
