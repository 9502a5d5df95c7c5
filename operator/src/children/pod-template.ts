import type { Installation, PodIdentity } from './installation.ts';

const OPS_PORT = 9464;
/** The lifetime of web identity tokens, which the kubelet replaces in time. */
const TOKEN_SECONDS = 3600;

export const OPS = { name: 'ops', containerPort: OPS_PORT, protocol: 'TCP' };

/** The folders where volumes are mounted. */
export const FOLDERS = {
  models: '/var/lib/sightline',
  serving: '/etc/sightline/serving',
  storeKeys: '/etc/sightline/store',
  inferenceKey: '/etc/sightline/inference',
  certificates: '/etc/sightline/certificates',
  credentials: '/etc/sightline/source/credentials',
  authority: '/etc/sightline/source/authority',
  claim: '/source',
};

export interface Mount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: true;
}

/** A volume and its mount in the container. */
export interface Mounted {
  readonly volume: { readonly name: string };
  readonly mount: Mount;
}

export function emptyDir(name: string, mountPath: string, sizeLimit: string): Mounted {
  const volume = { name, emptyDir: { sizeLimit } };
  return { volume, mount: { name, mountPath } };
}

/** @param source the source of the volume, such as `{ secret: … }` */
export function readOnly(name: string, mountPath: string, source: object): Mounted {
  return { volume: { name, ...source }, mount: { name, mountPath, readOnly: true } };
}

export interface Variable {
  readonly name: string;
  readonly value: string;
}

/** @param values the values by name; empty values are omitted */
export function toEnvironment(values: Readonly<Record<string, string | undefined>>): Variable[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [{ name, value }],
  );
}

/** The variables of every pod: its listeners, its log and the model store. */
export function commonEnvironment(installation: Installation, identity: PodIdentity) {
  const { s3, logLevel, trustedCertificates } = installation;
  return {
    // Listens on all interfaces, because the kubelet and the operator call the operations port.
    SIGHTLINE_HOST: '0.0.0.0',
    SIGHTLINE_OPS_PORT: String(OPS_PORT),
    SIGHTLINE_LOG_LEVEL: logLevel,
    SIGHTLINE_S3_ENDPOINT: s3.endpoint,
    SIGHTLINE_S3_BUCKET: s3.bucket,
    SIGHTLINE_S3_REGION: s3.region,
    SIGHTLINE_S3_VIRTUAL_HOSTS: s3.virtualHosts,
    ...identityEnvironment(installation, identity),
    NODE_EXTRA_CA_CERTS: trustedCertificates === null ? '' : `${FOLDERS.certificates}/ca.crt`,
    HOME: '/tmp',
  };
}

function identityEnvironment({ keys, webIdentity }: Installation, { role }: PodIdentity) {
  const file = (name: string) => `${FOLDERS.storeKeys}/${name}`;
  if (webIdentity !== null) {
    const { audience, stsEndpoint } = webIdentity;
    return {
      SIGHTLINE_S3_WEB_IDENTITY_TOKEN_FILE: audience === '' ? '' : file('token'),
      SIGHTLINE_S3_ROLE_ARN: role,
      SIGHTLINE_S3_STS_ENDPOINT: stsEndpoint,
    };
  }
  return {
    SIGHTLINE_S3_ACCESS_KEY_FILE: file('access-key'),
    SIGHTLINE_S3_SECRET_KEY_FILE: file('secret-key'),
    SIGHTLINE_S3_SESSION_TOKEN_FILE: keys.sessionToken === '' ? '' : file('session-token'),
  };
}

function identityVolumes({ keys, webIdentity }: Installation, { secret }: PodIdentity): Mounted[] {
  if (webIdentity !== null) {
    const { audience } = webIdentity;
    if (audience === '') return [];
    const serviceAccountToken = { audience, expirationSeconds: TOKEN_SECONDS, path: 'token' };
    const projected = { sources: [{ serviceAccountToken }] };
    return [readOnly('store-keys', FOLDERS.storeKeys, { projected })];
  }
  const items = [
    { key: keys.accessKey, path: 'access-key' },
    { key: keys.secretKey, path: 'secret-key' },
  ];
  if (keys.sessionToken !== '') items.push({ key: keys.sessionToken, path: 'session-token' });
  return [readOnly('store-keys', FOLDERS.storeKeys, { secret: { secretName: secret, items } })];
}

/** The volumes of every pod. */
export function commonVolumes(installation: Installation, identity: PodIdentity): Mounted[] {
  const { trustedCertificates } = installation;
  const mounted = [emptyDir('tmp', '/tmp', '256Mi'), ...identityVolumes(installation, identity)];
  if (trustedCertificates === null) return mounted;
  const { name, key } = trustedCertificates;
  const configMap = { name, items: [{ key, path: 'ca.crt' }] };
  return [...mounted, readOnly('certificates', FOLDERS.certificates, { configMap })];
}

/** The security context of every container. */
export function containerSecurity({ securityContext }: Installation) {
  return securityContext === null ? {} : { securityContext };
}

/** The fields that all pods share. */
export function podBasics(
  { imagePullSecrets, podSecurityContext }: Installation,
  { serviceAccount }: PodIdentity,
) {
  return {
    ...(serviceAccount !== '' && { serviceAccountName: serviceAccount }),
    // The account is for tokens of other audiences: pods do not call the Kubernetes API.
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(podSecurityContext !== null && { securityContext: podSecurityContext }),
    ...(imagePullSecrets.length > 0 && {
      imagePullSecrets: imagePullSecrets.map((name) => ({ name })),
    }),
  };
}
