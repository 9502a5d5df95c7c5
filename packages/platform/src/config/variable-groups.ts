import { ACCOUNTS_VARIABLES } from './groups/accounts-variables.ts';
import { CONSOLE_VARIABLES } from './groups/console-variables.ts';
import { DATA_VARIABLES } from './groups/data-variables.ts';
import { DATABASE_VARIABLES, MIGRATION_VARIABLES } from './groups/database-variables.ts';
import { DOWNLOADS_VARIABLES } from './groups/downloads-variables.ts';
import { FETCH_VARIABLES } from './groups/fetch-variables.ts';
import { INFERENCE_KEY_VARIABLES, INFERENCE_VARIABLES } from './groups/inference-variables.ts';
import { KAFKA_VARIABLES } from './groups/kafka-variables.ts';
import { MEDIA_VARIABLES } from './groups/media-variables.ts';
import { MODELS_VARIABLES } from './groups/models-variables.ts';
import { OPERATOR_VARIABLES } from './groups/operator-variables.ts';
import { PROCESS_VARIABLES } from './groups/process-variables.ts';
import { SECRET_KEY_VARIABLES } from './groups/secret-key-variables.ts';
import { SERVER_VARIABLES } from './groups/server-variables.ts';
import { SERVING_VARIABLES } from './groups/serving-variables.ts';
import { SETTINGS_VARIABLES } from './groups/settings-variables.ts';
import { SPOOL_VARIABLES } from './groups/spool-variables.ts';
import { START_VARIABLES } from './groups/start-variables.ts';
import { VECTORS_VARIABLES } from './groups/vectors-variables.ts';
import type { ValuesOf, Variables } from './variable.ts';

/** All variables in groups. The order of the groups is the order in `--help` and in the documentation. */
export const VARIABLE_GROUPS = {
  process: { title: 'Every process', variables: PROCESS_VARIABLES },
  server: { title: 'API and inference processes', variables: SERVER_VARIABLES },
  accounts: { title: 'Accounts', variables: ACCOUNTS_VARIABLES },
  console: { title: 'Console', variables: CONSOLE_VARIABLES },
  settings: { title: 'Defaults of settings', variables: SETTINGS_VARIABLES },
  spool: { title: 'Batches on disk', variables: SPOOL_VARIABLES },
  data: { title: 'Data folder', variables: DATA_VARIABLES },
  models: { title: 'Models', variables: MODELS_VARIABLES },
  serving: { title: 'Models of an inference process in a cluster', variables: SERVING_VARIABLES },
  downloads: { title: 'Downloads of models', variables: DOWNLOADS_VARIABLES },
  fetch: { title: 'Fetching one model (`apps/models`)', variables: FETCH_VARIABLES },
  start: { title: 'External services', variables: START_VARIABLES },
  database: { title: 'Database', variables: DATABASE_VARIABLES },
  migration: { title: 'Migration (`sightline migrate`)', variables: MIGRATION_VARIABLES },
  media: { title: 'Images', variables: MEDIA_VARIABLES },
  vectors: { title: 'Index of faces', variables: VECTORS_VARIABLES },
  inference: { title: 'Inference', variables: INFERENCE_VARIABLES },
  inferenceKey: { title: 'Key of inference processes', variables: INFERENCE_KEY_VARIABLES },
  kafka: { title: 'Events over Kafka', variables: KAFKA_VARIABLES },
  operator: { title: 'Operator on Kubernetes', variables: OPERATOR_VARIABLES },
  secretKey: { title: 'Secrets of webhooks', variables: SECRET_KEY_VARIABLES },
} satisfies Record<string, { readonly title: string; readonly variables: Variables }>;

export type GroupName = keyof typeof VARIABLE_GROUPS;

export const ALL_GROUPS = Object.keys(VARIABLE_GROUPS) as GroupName[];

/**
 * The groups that services read. Services must not read the database owner's login or the variables of the operator.
 */
export type ServiceGroupName = Exclude<GroupName, 'migration' | 'operator' | 'fetch'>;

export const SERVICE_GROUPS = ALL_GROUPS.filter(
  (name) => name !== 'migration' && name !== 'operator' && name !== 'fetch',
);

type Joined<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  joined: infer All,
) => void
  ? All
  : never;

/** All variables, by the name of their value in `Config`. */
export const VARIABLES = Object.assign(
  {},
  ...Object.values(VARIABLE_GROUPS).map(({ variables }) => variables),
) as Joined<(typeof VARIABLE_GROUPS)[GroupName]['variables']>;

type KeyOf<Name extends GroupName> = Extract<
  { [Each in Name]: keyof (typeof VARIABLE_GROUPS)[Each]['variables'] }[Name],
  keyof typeof VARIABLES
>;

export type Config<Name extends GroupName = GroupName> = Pick<
  ValuesOf<typeof VARIABLES>,
  KeyOf<Name>
>;
