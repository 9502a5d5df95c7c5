import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';

const MAIN = join(import.meta.dirname, 'main.ts');
const NO_FOLDER = join(import.meta.dirname, 'there-is-no-such-folder');

test('a misspelled variable is reported on stderr, and stdout contains only the result', async () => {
  const child = spawn(process.execPath, [MAIN, 'key', 'list'], {
    env: {
      PATH: process.env.PATH,
      SIGHTLINE_DATA: NO_FOLDER,
      SIGHTLINE_DATABSE_URL: 'postgres://user:hidden@host/database',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, ended] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  expect(ended).toEqual([1, null]);
  expect(stdout).toBe('');
  expect(stderr.split('\n')).toEqual([
    'SIGHTLINE_DATABSE_URL is set, but nothing reads it. Did you mean SIGHTLINE_DATABASE_URL?',
    expect.stringContaining(`There is no data folder in ${NO_FOLDER}`),
    '',
  ]);
});
