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
  test('selects the only candidate of each task', () => {
    expect(selectPacks([people, things], {})).toEqual({ face: people, object: things });
    expect(selectPacks([things], {})).toEqual({ face: null, object: things });
    expect(selectPacks([], {})).toEqual({ face: null, object: null });
  });

  test('selects the named pack', () => {
    expect(selectPacks([people, better, things], { face: 'better' }).face).toBe(better);
  });

  test('fails if there are several and none is named', () => {
    expect(() => selectPacks([people, better], {})).toThrow(
      'There are several face models: people, better.',
    );
  });

  test('lists the available packs if the named one does not exist', () => {
    expect(() => selectPacks([people, better], { face: 'best' })).toThrow(
      'There is no face model named "best"; available: people, better.',
    );
    expect(() => selectPacks([people, things], { object: 'people' })).toThrow(
      'There is no object model named "people"; available: things.',
    );
    expect(() => selectPacks([], { object: 'things' })).toThrow('available: none.');
  });
});
