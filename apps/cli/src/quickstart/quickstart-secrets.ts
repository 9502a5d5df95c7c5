import type { KubeObject } from '@sightline/kube/kube-object';

export interface QuickstartOptions {
  /** The name of the Secret for processes. The name of the database owner's Secret has the suffix `-owner`. */
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly database: string;
  /** @returns `bytes` random bytes */
  readonly random: (bytes: number) => Buffer;
}

export interface SecretObject extends KubeObject {
  readonly type: 'Opaque';
  readonly stringData: Readonly<Record<string, string>>;
}

/**
 * The two Secrets of a quickstart: the first for its processes, and the second with the login of the database owner.
 * The Secrets share no password, so either can be created while the other already exists.
 */
export function quickstartSecrets(options: QuickstartOptions): readonly SecretObject[] {
  const { name, database, random } = options;
  const password = () => random(24).toString('hex');
  const address = (user: string, secret: string) =>
    `postgres://${user}:${secret}@${database}/sightline?sslmode=disable`;
  const owner = password();
  return [
    secretOf(options, name, {
      url: address('sightline_app', password()),
      'access-key-id': 'sightline',
      'secret-access-key': password(),
      'api-key': password(),
      'inference-key': password(),
      'secret-key': random(32).toString('base64'),
    }),
    secretOf(options, `${name}-owner`, { url: address('sightline_owner', owner), password: owner }),
  ];
}

function secretOf(
  { namespace, labels }: QuickstartOptions,
  name: string,
  stringData: SecretObject['stringData'],
): SecretObject {
  const metadata = { name, namespace, labels };
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', stringData };
}
