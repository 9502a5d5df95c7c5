import { expect, test } from '@jest/globals';
import { fromClassPath, toClassPath } from './class-path.ts';

test.each(['hair drier', 'a red. umbrella', '..', 'a/b\\c', '~2e', '茶色い犬 %2F', '<b>'])(
  'the class %j has an address without dots and slashes',
  (name) => {
    const part = toClassPath(name);
    expect(part).not.toMatch(/[./\\]/);
    expect(fromClassPath(part)).toBe(name);
  },
);
