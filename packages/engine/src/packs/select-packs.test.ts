import { describe, expect, test } from '@jest/globals';
import type { ModelTask } from '@sightline/core/models/model';
import type { ModelPack } from './manifest.ts';
import { selectPacks } from './select-packs.ts';

function pack(name: string, task: ModelTask): ModelPack {
  const rest = { version: '1', license: 'MIT', commercial_use: true, provides: [], components: [] };
  return { manifest: { name, task, ...rest }, directory: `/models/${name}`, revision: name };
}

const people = pack('people', 'face');
const better = pack('better', 'face');
const things = pack('things', 'object');

describe('selectPacks', () => {
  test('takes the only candidate of each task', () => {
    expect(selectPacks([people, things], {})).toEqual({ face: people, object: things });
    expect(selectPacks([things], {})).toEqual({ face: null, object: things });
    expect(selectPacks([], {})).toEqual({ face: null, object: null });
  });

  test('takes the one that is named', () => {
    expect(selectPacks([people, better, things], { face: 'better' }).face).toBe(better);
  });

  test('does not guess between several', () => {
    expect(() => selectPacks([people, better], {})).toThrow(
      'Several face models are there: people, better.',
    );
  });

  test('says what there is where the named one is not', () => {
    expect(() => selectPacks([people, better], { face: 'best' })).toThrow(
      'No face model is called "best"; there are: people, better.',
    );
    expect(() => selectPacks([people, things], { object: 'people' })).toThrow(
      'No object model is called "people"; there are: things.',
    );
    expect(() => selectPacks([], { object: 'things' })).toThrow('there is none.');
  });
});
