import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import { structuralType, type StructuralSchema } from './structural-type.ts';
import { writeComputed } from './write-computed.ts';

/**
 * Writes the types of Sightline's custom resources from their definitions, and copies the definitions into
 * the operator's chart. Links would not do, because Flux ignores links in a Git repository. With `--check`
 * the script writes nothing, and fails if a file is out of date.
 */
interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string; readonly singular: string };
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: StructuralSchema };
    }[];
  };
}

const FOLDER = 'crds';
const CHART = 'charts/sightline-operator/crds';

const files = new Map<string, string>();
for (const [crd, file] of [
  ['inferencemodels', 'inference-model'],
  ['inferenceroutes', 'inference-route'],
] as const) {
  const text = await readFile(`${FOLDER}/${crd}.yaml`, 'utf8');
  const definition = load(text) as Definition;
  files.set(
    `${CHART}/${crd}.yaml`,
    `# Written by \`make generate\` from ${FOLDER}/${crd}.yaml.\n${text}`,
  );
  files.set(`packages/contracts/src/cluster/${file}.ts`, typesOf(definition, crd));
}
await writeComputed(files);

function typesOf({ spec: { group, names, versions } }: Definition, crd: string): string {
  const { name: version, schema } = versions[0]!;
  const { spec, status } = schema.openAPIV3Schema.properties!;
  const { kind, plural } = names;
  const constant = plural.replace('inference', 'inference_').toUpperCase();
  return `// Written by \`make generate\` from ${FOLDER}/${crd}.yaml.
import type { KubeObject, Resource } from '@sightline/kube/kube-object';

export const ${constant}: Resource = { group: '${group}', version: '${version}', kind: '${kind}', plural: '${plural}' };

/** ${schema.openAPIV3Schema.description} As the API server returns it: what has a default is there. */
export interface ${kind} extends KubeObject {
  readonly spec: ${kind}Spec;
  readonly status?: ${kind}Status;
}

export interface ${kind}Spec ${structuralType(spec!)}

export interface ${kind}Status ${structuralType(status!)}
`;
}
