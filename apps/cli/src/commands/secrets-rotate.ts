import { rotateSecrets } from '@sightline/core/maintenance/rotate-secrets';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

/** `sightline secrets rotate`: encrypts stored secrets with the first key, while services run. */
export const secretsRotate: Command = {
  options: {},
  operands: [],
  async run(input) {
    const { print, note, signal, secretKey } = input;
    await using opened = await openInstallation(input);
    const secrets = await opened.openSecrets(secretKey);
    const { keyId, rotated, unreadable } = await rotateSecrets({ ...opened, secrets }, signal);
    const webhooks = rotated.webhook + rotated.previous_webhook;
    print(
      `Encrypted again with the key ${keyId}: ${counted(webhooks, 'secret')} of webhooks, ${counted(rotated.image_url, 'password')} in URLs of images.`,
    );
    if (unreadable.length === 0) return;
    for (const sentence of unreadable) note(sentence);
    throw new StartError(
      `${counted(unreadable.length, 'secret')} could not be decrypted: keep the old key until this command succeeds.`,
    );
  },
};

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
