/** What the operator has to know of an installation to make pods for it: the ConfigMap `sightline-installation`. */
export interface Installation {
  readonly image: string;
  /** For pods with a GPU. */
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
  /** The Secret by which pods read models. */
  readonly readSecret: string;
  /** The Secret by which fetch Jobs write them. */
  readonly writeSecret: string;
  /** Keys in those Secrets. */
  readonly keys: {
    readonly accessKey: string;
    readonly secretKey: string;
    /** Empty: the S3 needs none. */
    readonly sessionToken: string;
  };
  readonly inferenceKey: KeyOfObject;
  /** A ConfigMap with authorities that are trusted besides the public ones; null: none. */
  readonly trustedCertificates: KeyOfObject | null;
  /** Server from which models are fetched instead of from where they are published; empty: none. */
  readonly modelMirror: string;
  /** Where models run, whatever their device says: a setting of tests. Empty: as they say. */
  readonly provider: string;
  /** Null: none are made. */
  readonly networkPolicies: {
    /** Rules: what inference pods may reach. */
    readonly inferenceEgress: readonly object[];
    /** Rules: what Jobs that fetch models may reach. */
    readonly fetchEgress: readonly object[];
    /** Peers that may ask inference pods for answers. */
    readonly callers: readonly object[];
    /** Peers that may read metrics. */
    readonly metricsFrom: readonly object[];
  } | null;
}

/** A key of a Secret or ConfigMap. */
export interface KeyOfObject {
  readonly name: string;
  readonly key: string;
}

export const INSTALLATION_NAME = 'sightline-installation';

/** @returns null if what every pod needs is missing, or a list is not one */
export function parseInstallation(
  data: Readonly<Record<string, string>> | undefined,
): Installation | null {
  if (data === undefined) return null;
  const { image = '', s3Endpoint = '', modelsReadSecret = '', inferenceKeySecret = '' } = data;
  const lists = readLists(data);
  if (lists === null || ![image, modelsReadSecret, inferenceKeySecret].every(Boolean)) return null;
  if (!URL.canParse(s3Endpoint)) return null;
  return {
    ...readTexts(data),
    ...lists,
    image,
    gpuImage: given(data.gpuImage, image),
    readSecret: modelsReadSecret,
    writeSecret: given(data.modelsWriteSecret, modelsReadSecret),
    inferenceKey: { name: inferenceKeySecret, key: given(data.inferenceKeyKey, 'inferenceKey') },
  };
}

function readLists(
  data: Readonly<Record<string, string>>,
): Pick<Installation, 'imagePullSecrets' | 'networkPolicies'> | null {
  const imagePullSecrets = parseList(data.imagePullSecrets);
  const peers = readPeers(data);
  if (imagePullSecrets === null || peers === null) return null;
  const networkPolicies = data.networkPolicies === 'true' ? peers : null;
  return { imagePullSecrets: imagePullSecrets.map(String), networkPolicies };
}

function readPeers(data: Readonly<Record<string, string>>): Installation['networkPolicies'] {
  const inferenceEgress = parseList(data.inferenceEgress)?.filter(isObject);
  const fetchEgress = parseList(data.fetchEgress)?.filter(isObject);
  const callers = parseList(data.callers)?.filter(isObject);
  const metricsFrom = parseList(data.metricsFrom)?.filter(isObject);
  if (inferenceEgress === undefined || fetchEgress === undefined) return null;
  if (callers === undefined || metricsFrom === undefined) return null;
  return { inferenceEgress, fetchEgress, callers, metricsFrom };
}

function readTexts(data: Readonly<Record<string, string>>) {
  const { trustedCertificatesConfigMap: trusted = '', modelMirror = '', provider = '' } = data;
  return {
    imagePullPolicy: given(data.imagePullPolicy, 'IfNotPresent'),
    logLevel: given(data.logLevel, 'info'),
    s3: {
      endpoint: data.s3Endpoint ?? '',
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
    provider,
  };
}

/** A chart leaves a value out by setting it to nothing. */
function given(text: string | undefined, otherwise: string): string {
  return text === undefined || text === '' ? otherwise : text;
}

/** A list as JSON; null: it is none. */
function parseList(text: string | undefined): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(given(text, '[]'));
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
