/**
 * The settings for the pods that the operator creates in a namespace, from the ConfigMap `sightline-installation`.
 */
export interface Installation {
  readonly image: string;
  /** The image of pods with a GPU. */
  readonly gpuImage: string;
  readonly imagePullPolicy: string;
  readonly imagePullSecrets: readonly string[];
  readonly logLevel: string;
  readonly s3: {
    readonly endpoint: string;
    readonly bucket: string;
    readonly region: string;
    readonly virtualHosts: string;
  };
  /** The identities of inference pods, which read models, and of fetch Jobs, which write them. */
  readonly inference: PodIdentity;
  readonly fetch: PodIdentity;
  /** How pods get keys of the S3 without a Secret; null if they have a Secret. */
  readonly webIdentity: {
    /** The audience of the token that pods mount. If empty, they mount none, because the cluster gives them one. */
    readonly audience: string;
    /** The address of the token service; if empty, the S3 determines it. */
    readonly stsEndpoint: string;
  } | null;
  /** The keys in the Secrets of the identities. */
  readonly keys: {
    readonly accessKey: string;
    readonly secretKey: string;
    /** Empty if the S3 server needs no session token. */
    readonly sessionToken: string;
  };
  readonly inferenceKey: KeyOfObject;
  /** The security contexts of pods and containers; null if the cluster assigns them. */
  readonly podSecurityContext: object | null;
  readonly securityContext: object | null;
  /** The ConfigMap with certificate authorities to trust besides the public ones; null if there is none. */
  readonly trustedCertificates: KeyOfObject | null;
  /**
   * The URL of a mirror from which models are downloaded instead of their publishers' servers; empty if there is
   * none.
   */
  readonly modelMirror: string;
  /** The proxy through which fetch Jobs reach sources, and the hosts that they reach without it; empty for none. */
  readonly proxy: { readonly url: string; readonly noProxy: string };
  /** The execution provider of all models, which only tests set. If empty, `device` of a model decides. */
  readonly provider: string;
  /** The rules of network policies; null if the operator creates none. */
  readonly networkPolicies: {
    readonly inferenceEgress: readonly object[];
    readonly fetchEgress: readonly object[];
    /** Peers that may send requests to inference pods. */
    readonly callers: readonly object[];
    readonly metricsFrom: readonly object[];
  } | null;
}

export interface PodIdentity {
  /** The service account of the pods; if empty, that of the namespace. */
  readonly serviceAccount: string;
  /** The Secret with the keys of the S3; unused with a web identity. */
  readonly secret: string;
  /** The role that the web identity assumes; may be empty. */
  readonly role: string;
}

/** A key of a Secret or ConfigMap. */
export interface KeyOfObject {
  readonly name: string;
  readonly key: string;
}

/** The user ID of the container processes by default. It is the image's user and owns no files on the node. */
const USER = 10001;

/** The requirements of Pod Security `restricted` for a pod. */
const POD_SECURITY = {
  runAsNonRoot: true,
  runAsUser: USER,
  runAsGroup: USER,
  fsGroup: USER,
  seccompProfile: { type: 'RuntimeDefault' },
};

/** The requirements for a container, with a read-only root file system. */
const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

export const INSTALLATION_NAME = 'sightline-installation';

type Data = Readonly<Record<string, string>>;

/** The namespace has no usable installation. The message is a sentence for people. */
export class InstallationMissing extends Error {}

/**
 * @param data the data of the ConfigMap; undefined if the ConfigMap does not exist
 * @throws InstallationMissing if a value that every pod needs is missing or cannot be read
 */
export function parseInstallation(data: Data | undefined): Installation {
  if (data === undefined) {
    throw new InstallationMissing(
      `The namespace has no ConfigMap ${INSTALLATION_NAME}: install the chart sightline in it.`,
    );
  }
  const image = required(data, 'image');
  const inferenceKey = required(data, 'inferenceKeySecret');
  return {
    ...readTexts(data),
    ...readLists(data),
    podSecurityContext: readContext(data, 'podSecurityContext', POD_SECURITY),
    securityContext: readContext(data, 'securityContext', CONTAINER_SECURITY),
    image,
    gpuImage: given(data.gpuImage, image),
    ...readIdentities(data),
    inferenceKey: { name: inferenceKey, key: given(data.inferenceKeyKey, 'inferenceKey') },
  };
}

function readIdentities(data: Data): Pick<Installation, 'inference' | 'fetch' | 'webIdentity'> {
  const { inferenceServiceAccount = '', fetchServiceAccount = '' } = data;
  const { modelsReadRole = '', modelsWriteRole = '' } = data;
  const { webIdentityAudience: audience = '', stsEndpoint = '' } = data;
  const isKeyless = data.webIdentity === 'true';
  const secret = isKeyless ? '' : required(data, 'modelsReadSecret');
  return {
    inference: { serviceAccount: inferenceServiceAccount, secret, role: modelsReadRole },
    fetch: {
      serviceAccount: fetchServiceAccount,
      secret: given(data.modelsWriteSecret, secret),
      role: modelsWriteRole,
    },
    webIdentity: isKeyless ? { audience, stsEndpoint } : null,
  };
}

function required(data: Data, key: string): string {
  const text = given(data[key], '');
  if (text === '') throw unusable(key, 'is missing');
  return text;
}

function unusable(key: string, what: string): InstallationMissing {
  return new InstallationMissing(
    `The ConfigMap ${INSTALLATION_NAME} cannot be used: ${key} ${what}.`,
  );
}

function readLists(data: Data): Pick<Installation, 'imagePullSecrets' | 'networkPolicies'> {
  const imagePullSecrets = readList(data, 'imagePullSecrets').map(String);
  const networkPolicies = data.networkPolicies === 'true' ? readPolicies(data) : null;
  return { imagePullSecrets, networkPolicies };
}

/** Reads an object or null. A ConfigMap without the key is of an older chart, and gets the default. */
function readContext(data: Data, key: string, otherwise: object): object | null {
  const text = given(data[key], '');
  if (text === '') return otherwise;
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || (isObject(value) && !Array.isArray(value))) return value;
  } catch {
    // Invalid JSON is treated like a value of another kind.
  }
  throw unusable(key, 'is neither an object in JSON nor null');
}

function readPolicies(data: Data): Installation['networkPolicies'] {
  const objects = (key: string): readonly object[] => readList(data, key).filter(isObject);
  // A missing value is an error, because pods would reach nothing without egress rules.
  const rules = (key: string): readonly object[] => {
    required(data, key);
    return objects(key);
  };
  return {
    inferenceEgress: rules('inferenceEgress'),
    fetchEgress: rules('fetchEgress'),
    callers: objects('callers'),
    metricsFrom: objects('metricsFrom'),
  };
}

function readEndpoint(data: Data): string {
  const endpoint = required(data, 's3Endpoint');
  if (!/^https?:/.test(endpoint) || !URL.canParse(endpoint)) {
    throw unusable('s3Endpoint', 'is no http or https URL');
  }
  return endpoint;
}

function readTexts(data: Data) {
  const { trustedCertificatesConfigMap: trusted = '', modelMirror = '', provider = '' } = data;
  const { proxy = '', noProxy = '' } = data;
  return {
    imagePullPolicy: given(data.imagePullPolicy, 'IfNotPresent'),
    logLevel: given(data.logLevel, 'info'),
    s3: {
      endpoint: readEndpoint(data),
      bucket: given(data.s3Bucket, 'sightline'),
      region: given(data.s3Region, 'us-east-1'),
      virtualHosts: given(data.s3VirtualHosts, 'off'),
    },
    keys: {
      accessKey: given(data.s3AccessKeyKey, 'accessKey'),
      secretKey: given(data.s3SecretKeyKey, 'secretKey'),
      sessionToken: data.s3SessionTokenKey ?? '',
    },
    trustedCertificates:
      trusted === '' ? null : { name: trusted, key: given(data.trustedCertificatesKey, 'ca.crt') },
    modelMirror,
    proxy: { url: proxy, noProxy },
    provider,
  };
}

/** The text, or the default if it is missing or empty. A chart writes omitted values as empty texts. */
function given(text: string | undefined, otherwise: string): string {
  return text === undefined || text === '' ? otherwise : text;
}

function readList(data: Data, key: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(given(data[key], '[]'));
    if (Array.isArray(value)) return value;
  } catch {
    // Invalid JSON is treated like a value that is no list.
  }
  throw unusable(key, 'is no list in JSON');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
