import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sizeThreadPool } from './size-thread-pool.ts';

const NAME = 'UV_THREADPOOL_SIZE';
let before: string | undefined;

beforeEach(() => {
  before = process.env[NAME];
});

afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(process.env, NAME);
  else process.env[NAME] = before;
});

test('the pool gets one thread per worker in addition to the default', () => {
  Reflect.deleteProperty(process.env, NAME);
  sizeThreadPool(16);
  expect(process.env[NAME]).toBe('20');
});

test('a value in the environment is kept', () => {
  process.env[NAME] = '7';
  sizeThreadPool(16);
  expect(process.env[NAME]).toBe('7');
});
