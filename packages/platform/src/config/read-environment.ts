/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of the process; only this folder reads `process.env`. */
export function readEnvironment(): Environment {
  return process.env;
}
