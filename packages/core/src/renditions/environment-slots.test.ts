import { expect, test } from '@jest/globals';
import { EnvironmentSlots } from './environment-slots.ts';

test('an environment has so many pieces of work at a time, in their order, beside others', async () => {
  const slots = new EnvironmentSlots(2);
  const log: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<undefined>>();
  const run = (environmentId: number, name: string) =>
    slots.run(environmentId, () => {
      log.push(name);
      const end = Promise.withResolvers<undefined>();
      ends.set(name, end);
      return end.promise;
    });
  const runs = ['a', 'b', 'c', 'd'].map((name) => run(1, name));
  const other = run(2, 'other');
  expect(log).toEqual(['a', 'b', 'other']);
  ends.get('a')!.reject(new Error('failed'));
  await expect(runs[0]).rejects.toThrow('failed');
  expect(log).toEqual(['a', 'b', 'other', 'c']);
  for (const name of ['b', 'c', 'other']) ends.get(name)!.resolve(undefined);
  await Promise.all([runs[1], runs[2], other]);
  ends.get('d')!.resolve(undefined);
  await runs[3];
  expect(log).toEqual(['a', 'b', 'other', 'c', 'd']);
});
