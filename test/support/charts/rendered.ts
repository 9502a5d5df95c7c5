import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadAll } from 'js-yaml';

const FOLDER = join(import.meta.dirname, '../../charts/rendered');

export interface SecurityContext {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  readonly seccompProfile?: { readonly type: string };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly EnvVariable[];
  readonly resources: {
    readonly requests: Readonly<Record<'cpu' | 'memory', string>>;
    readonly limits: { readonly memory: string; readonly cpu?: string };
  };
  readonly securityContext: SecurityContext;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
}

interface EnvVariable {
  readonly name: string;
  readonly value?: string;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly securityContext: SecurityContext;
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken: boolean;
  readonly volumes?: readonly ({ readonly name: string } & Readonly<Record<string, unknown>>)[];
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
}

type Labels = Readonly<Record<string, string>>;

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Labels;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  /** Absent in ServiceAccounts and Roles. */
  readonly spec?: {
    readonly replicas?: number;
    readonly strategy?: object;
    readonly template?: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: PodSpec;
    };
    readonly runtime?: { readonly resources: Container['resources'] };
    readonly egress?: readonly {
      readonly ports: readonly { readonly port: number | string }[];
      readonly to?: readonly object[];
    }[];
  };
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

/** A chart that `make generate` has rendered with certain values. */
export interface Rendering {
  readonly name: string;
  readonly text: string;
  readonly manifests: readonly Manifest[];
}

export const RENDERINGS: readonly Rendering[] = readdirSync(FOLDER).map((file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const manifests = (loadAll(text) as (Manifest | null)[]).filter((each) => each !== null);
  return { name: basename(file, '.yaml'), text, manifests };
});

export function renderingOf(name: string): Rendering {
  return RENDERINGS.find((each) => each.name === name)!;
}

/** An object that has a pod template, with a name for messages. */
export interface PodTemplate {
  readonly place: string;
  readonly manifest: Manifest;
  readonly labels: Labels;
  readonly pod: PodSpec;
}

export function podTemplates({ name, manifests }: Rendering): readonly PodTemplate[] {
  return manifests.flatMap((manifest) => {
    const { kind, metadata, spec } = manifest;
    const pod = kind === 'Pod' ? (spec as unknown as PodSpec) : spec?.template?.spec;
    if (pod === undefined) return [];
    const { labels } = spec?.template?.metadata ?? metadata;
    return [{ place: `${name}: ${kind} ${metadata.name}`, manifest, labels, pod }];
  });
}

/** The containers of a pod, including its init containers. */
export function containersOf({ containers, initContainers = [] }: PodSpec): readonly Container[] {
  return [...initContainers, ...containers];
}
