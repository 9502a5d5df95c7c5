import { expect, test } from '@jest/globals';
import { FakeAnalyzer } from '../../analysis/testing/fake-analyzer.ts';
import { FACE_MODEL, OBJECT_MODEL } from '../../models/testing/sample-models.ts';
import { findEngines, type RequestedDetectors } from './find-engines.ts';

const NO_EMBEDDINGS = { ...FACE_MODEL, embeddingDim: null };

/** Finds engines with a cache that contains only these models. */
async function find(requested: RequestedDetectors, cached: FakeAnalyzer['models']) {
  const analyzer = new FakeAnalyzer();
  let reads = 0;
  const actual = analyzer.models;
  analyzer.models = cached;
  const forget = () => {
    reads++;
    analyzer.models = actual;
  };
  const engines = await findEngines({ analyzer, models: { forget } }, requested);
  return { ...engines, reads };
}

test('uses the cached models if they are sufficient', async () => {
  const all = { types: 'all', namesFace: false } as const;
  expect(await find(all, [OBJECT_MODEL])).toEqual({
    faces: false,
    objects: true,
    embeds: false,
    reads: 0,
  });
  expect(await find(all, [NO_EMBEDDINGS])).toMatchObject({ faces: true, embeds: false, reads: 0 });
});

test.each([
  [{ types: 'faces', namesFace: false }, [OBJECT_MODEL]],
  [{ types: 'objects', namesFace: false }, [FACE_MODEL]],
  [{ types: 'all', namesFace: true }, [OBJECT_MODEL]],
  [{ types: 'all', namesFace: false }, []],
] as const)('reads the models again before it rejects %j', async (requested, cached) => {
  expect(await find(requested, cached)).toMatchObject({ reads: 1 });
});
