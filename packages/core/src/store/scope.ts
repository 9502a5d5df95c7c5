/** The owner of data: every read and write of an environment's data happens within one scope. */
export interface Scope {
  readonly environmentId: number;
}
