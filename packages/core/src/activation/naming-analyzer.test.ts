import { expect, test } from '@jest/globals';
import { FakeAnalyzer } from '../analysis/testing/fake-analyzer.ts';
import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import type { ActiveModel } from '../models/model.ts';
import { FACE_MODEL, OBJECT_MODEL, warmModel } from '../models/testing/sample-models.ts';
import { NamingAnalyzer } from './naming-analyzer.ts';

const NEXT: ActiveModel = { ...FACE_MODEL, name: 'next', revision: 'a'.repeat(64) };

/** The names of the models that answer, where the database has this one active. */
async function answering(
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

test('says which model answers, and not which one processes prefer', async () => {
  expect(await answering(NEXT, 'warm')).toEqual(['next', 'objects']);
  expect(await answering(FACE_MODEL, 'warm')).toEqual(['faces', 'objects']);
  // A model that no process has loaded yet does not answer.
  expect(await answering(NEXT, 'warming')).toEqual(['faces', 'objects']);
});

test('lists the active model that a process has loaded, though no process prefers one of its kind', async () => {
  expect(await answering(NEXT, 'warm', [OBJECT_MODEL])).toEqual(['next', 'objects']);
  expect(await answering(NEXT, 'warming', [OBJECT_MODEL])).toEqual(['objects']);
});
