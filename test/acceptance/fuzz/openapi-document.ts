import type { RequiredRight } from '@sightline/contracts/define-contract';

/** The parts of an OpenAPI document from which requests are generated, and with which answers are compared. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly not?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

export type Place = 'path' | 'query' | 'header';

export interface Parameter {
  readonly name: string;
  readonly in: Place;
  readonly schema: JsonSchema;
}

export interface Reference {
  readonly $ref: string;
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface HeaderDescription {
  /** Absent means optional. */
  readonly required?: boolean;
}

export interface ResponseDescription {
  readonly headers?: Readonly<Record<string, Reference | HeaderDescription>>;
  readonly content?: Content;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, HeaderDescription>>;
    readonly responses: Readonly<Record<string, ResponseDescription>>;
  };
}

export interface RawOperation {
  readonly operationId: string;
  readonly 'x-required-right': RequiredRight;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Reference | ResponseDescription>>;
}
