import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';

const SCRIPT = join(import.meta.dirname, 'fixtures/scripted-main.ts');

let child: ChildProcess;
let stdout: string;
let stderr: string;

afterEach(() => {
  child.kill('SIGKILL');
});

function run(scenario: string): void {
  child = spawn(process.execPath, [SCRIPT, scenario], { stdio: ['ignore', 'pipe', 'pipe'] });
  stdout = '';
  stderr = '';
  child.stdout!.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
}

async function said(line: string): Promise<void> {
  while (!stdout.includes(line)) await once(child.stdout!, 'data');
}

async function ended(): Promise<{ code: number; lines: string[] }> {
  const [code] = (await once(child, 'close')) as [number];
  return { code, lines: stdout.trimEnd().split('\n') };
}

describe('a stop', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'by %s stops roles in reverse order and exits with 0',
    async (signal) => {
      run('runs');
      await said('second started');
      child.kill(signal);
      expect(await ended()).toEqual({
        code: 0,
        lines: ['first started', 'second started', 'second stopped', 'first stopped', 'main ended'],
      });
      expect(stderr).toBe('');
    },
  );

  test('during the start exits with 0, too', async () => {
    run('waits');
    await said('second waits');
    child.kill('SIGTERM');
    expect(await ended()).toEqual({
      code: 0,
      lines: ['first started', 'second waits', 'second stopped', 'first stopped', 'main ended'],
    });
  });

  test('by signals that come twice, as from a process group and from make, is orderly', async () => {
    run('runs-busily');
    await said('second started');
    child.kill('SIGTERM');
    child.kill('SIGHUP');
    await said('second stops');
    for (const signal of ['SIGTERM', 'SIGINT'] as const) child.kill(signal);
    expect(await ended()).toMatchObject({ code: 0 });
    expect(stdout).toContain('first stopped\nmain ended\n');
  });

  test('that hangs is cut short by a later second signal', async () => {
    run('hangs');
    await said('second started');
    child.kill('SIGTERM');
    await said('second hangs');
    expect(child.exitCode).toBeNull();
    const over = ended();
    // A signal in the first half second counts as a repetition of the first one.
    const again = setInterval(() => child.kill('SIGINT'), 50);
    expect((await over).code).toBe(1);
    clearInterval(again);
    expect(stderr).toBe('The process ended at once: SIGINT was received again.\n');
  });
});

describe('a start that fails', () => {
  test('with a StartError stops the started roles and prints one sentence', async () => {
    run('refuses');
    expect(await ended()).toEqual({
      code: 1,
      lines: ['first started', 'second stopped', 'first stopped'],
    });
    expect(stderr).toBe('The second role cannot start: try another.\n');
  });

  test('with another error prints the stack', async () => {
    run('breaks');
    expect((await ended()).code).toBe(1);
    expect(stderr).toMatch(/^TypeError: a bug\n {4}at .*scripted-main\.ts:\d+/);
  });
});

describe('an uncaught error ends the process with its stack', () => {
  test.each(['throws-later', 'rejects-later'])('%s', async (scenario) => {
    run(scenario);
    expect((await ended()).code).toBe(1);
    expect(stderr).toMatch(/^Error: (thrown|rejected) later\n {4}at .*scripted-main\.ts:\d+/);
  });
});
