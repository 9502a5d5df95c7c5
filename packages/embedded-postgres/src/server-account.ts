import { StartError } from '@sightline/platform/lifecycle/start-error';
import { type Account, runProgram } from './run-program.ts';

/** The accounts for root's server, in order of preference, because Postgres refuses to run as root. */
const NAMES = ['postgres', 'nobody'];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** @throws StartError if the machine has none of these accounts */
export async function serverAccount(): Promise<Account> {
  for (const name of NAMES) {
    const uid = await readId('-u', name);
    const gid = await readId('-g', name);
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new StartError(
    'Postgres does not run as root, and this machine has neither of the accounts postgres and nobody: start Sightline as another user.',
  );
}

async function readId(option: '-u' | '-g', name: string): Promise<number | undefined> {
  const { code, output } = await runProgram('id', [option, name]);
  return code === 0 && /^\d+$/.test(output) ? Number(output) : undefined;
}

/** Whether the account can enter a folder and all its parent folders. */
export async function canEnter(folder: string, account: Account): Promise<boolean> {
  const { code } = await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { account });
  return code === 0;
}
