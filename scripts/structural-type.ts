/** The parts of a Kubernetes structural schema on which types depend. */
export interface StructuralSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: StructuralSchema;
  readonly items?: StructuralSchema;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

/** The TypeScript type of an object as the API server returns it: a property with a default is always present. */
export function structuralType(schema: StructuralSchema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'number | string';
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ');
  switch (schema.type) {
    case 'object':
      return objectType(schema);
    case 'array':
      return `readonly (${structuralType(schema.items!)})[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
      return schema.type;
    case undefined:
      throw new Error(`A schema has no type: ${JSON.stringify(schema)}`);
  }
}

function objectType({ properties, additionalProperties, required = [] }: StructuralSchema): string {
  if (additionalProperties !== undefined) {
    return `Readonly<Record<string, ${structuralType(additionalProperties)}>>`;
  }
  if (properties === undefined) return 'Readonly<Record<string, never>>';
  const members = Object.entries(properties).map(([name, schema]) => {
    const isThere = required.includes(name) || schema.default !== undefined;
    const said = schema.description === undefined ? '' : `/** ${schema.description} */\n`;
    return `${said}readonly ${name}${isThere ? '' : '?'}: ${structuralType(schema)};`;
  });
  return `{\n${members.join('\n')}\n}`;
}
