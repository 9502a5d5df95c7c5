import { expect, test } from '@jest/globals';
import { FakeAnalyzer } from '../analysis/testing/fake-analyzer.ts';
import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import type { ActiveModel } from '../models/model.ts';
import { FACE_MODEL, OBJECT_MODEL, warmModel } from '../models/testing/sample-models.ts';
import { NamingAnalyzer } from './naming-analyzer.ts';

const NEXT: ActiveModel = { ...FACE_MODEL, name: 'next', revision: 'a'.repeat(64) };

/** The models that the status lists while one model is active in the database. */
async function listed(
  active: ActiveModel,
  state: 'warm' | 'warming',
  models: readonly ActiveModel[] = [FACE_MODEL, OBJECT_MODEL],
): Promise<string[]> {
  const analyzer = new FakeAnalyzer();
  const report = [warmModel(FACE_MODEL), warmModel(NEXT, { state })];
  const status: AnalyzerStatus = {
    ready: true,
    provider: 'cpu',
    models,
    found: [FACE_MODEL, NEXT, OBJECT_MODEL],
    report,
  };
  analyzer.status = () => Promise.resolve(status);
  const roles = () =>
    Promise.resolve({ active: [{ ...active, id: 1 }], pending: [], previous: [] });
  const naming = new NamingAnalyzer(analyzer, { roles, forget: () => undefined });
  return (await naming.status()).models.map(({ name }) => name);
}

test('lists the active model rather than the one that processes prefer', async () => {
  expect(await listed(NEXT, 'warm')).toEqual(['next', 'objects']);
  expect(await listed(FACE_MODEL, 'warm')).toEqual(['faces', 'objects']);
  // A model that no process has loaded yet is not listed.
  expect(await listed(NEXT, 'warming')).toEqual(['faces', 'objects']);
});

test('lists a loaded active model although no process prefers a model of its slot', async () => {
  expect(await listed(NEXT, 'warm', [OBJECT_MODEL])).toEqual(['next', 'objects']);
  expect(await listed(NEXT, 'warming', [OBJECT_MODEL])).toEqual(['objects']);
});
