import type { KubeObject } from '@sightline/kube/kube-object';

/** Where the stores of a quickstart are. */
export interface QuickstartOptions {
  /** Of the Secret that processes get; the owner's has `-owner` behind it. */
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Host and port of its Postgres. */
  readonly database: string;
  /** @returns so many random bytes */
  readonly random: (bytes: number) => Buffer;
}

export interface SecretObject extends KubeObject {
  readonly type: 'Opaque';
  readonly stringData: Readonly<Record<string, string>>;
}

/**
 * The Secrets of a quickstart: what its processes need, and the login of the database's owner. Neither has what is in
 * the other, so that one may be there already.
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
