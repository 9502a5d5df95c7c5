/** The data of a ConfigMap `sightline-installation`, as the chart writes it. */
export function sampleInstallation() {
  return {
    image: 'registry.example.org/sightline:1.2.3',
    gpuImage: 'registry.example.org/sightline:1.2.3-cuda',
    imagePullPolicy: 'IfNotPresent',
    imagePullSecrets: '["registry"]',
    logLevel: 'info',
    s3Endpoint: 'http://minio:9000',
    s3Bucket: 'sightline',
    s3Region: 'us-east-1',
    s3VirtualHosts: 'off',
    modelsReadSecret: 'models-read',
    modelsWriteSecret: 'models-write',
    s3AccessKeyKey: 'accessKey',
    s3SecretKeyKey: 'secretKey',
    s3SessionTokenKey: '',
    inferenceKeySecret: 'inference',
    inferenceKeyKey: 'key',
    trustedCertificatesConfigMap: 'authorities',
    trustedCertificatesKey: 'ca.crt',
    modelMirror: 'https://mirror.example.org',
    inferenceEgress: '[{"ports":[{"port":9000}],"to":[{"ipBlock":{"cidr":"10.20.1.0/24"}}]}]',
    fetchEgress: '[{"to":[{"ipBlock":{"cidr":"0.0.0.0/0"}}]}]',
    callers: '[{"podSelector":{"matchLabels":{"sightline.dev/role":"api"}}}]',
    metricsFrom: '[]',
    networkPolicies: 'true',
  };
}
