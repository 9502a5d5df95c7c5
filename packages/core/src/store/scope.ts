/** The environment that owns data. Every read and write of tenant data happens within one scope. */
export interface Scope {
  readonly environmentId: number;
}
