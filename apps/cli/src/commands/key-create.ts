import { createKey } from '@sightline/core/api-keys/create-key';
import { KEY_RIGHTS, type KeyRight } from '@sightline/core/api-keys/key-store';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command, OptionValue } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

/** `sightline key create`: prints only the key to stdout, so that a pipe can pass the key on. */
export const keyCreate: Command = {
  options: {
    environment: { type: 'string', default: 'default' },
    right: { type: 'string', default: 'full' },
    label: { type: 'string', default: 'command line' },
    expires: { type: 'string' },
    admin: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  operands: [],
  async run(input) {
    const { options, print, note } = input;
    const request = {
      environment: String(options.environment),
      label: String(options.label),
      right: rightOf(options.right),
      isAdmin: options.admin === true,
      expiresAt: expiryOf(options.expires),
    };
    await using installation = await openInstallation(input);
    const { key, record } = await createKey({ keys: installation.keys }, request);
    if (options.json === true) {
      print(JSON.stringify({ id: record.id, environment_id: record.environmentId, key }));
    } else {
      note(`Key ${record.id} for the environment "${request.environment}". It is shown only once:`);
      print(key);
    }
  },
};

function rightOf(value: OptionValue): KeyRight {
  const right = KEY_RIGHTS.find((each) => each === value);
  if (right !== undefined) return right;
  throw new StartError(`--right is "${String(value)}", but has to be full, review or read.`);
}

function expiryOf(value: OptionValue): Date | null {
  if (value === undefined) return null;
  const expiry = new Date(String(value));
  if (Number.isFinite(expiry.getTime()) && expiry.getTime() > Date.now()) return expiry;
  throw new StartError(
    `--expires is "${String(value)}", but has to be a future date, such as 2030-12-31.`,
  );
}
