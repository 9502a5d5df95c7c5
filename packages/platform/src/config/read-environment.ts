/** The variables of a process by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of the process: the one place that looks at it. */
export function readEnvironment(): Environment {
  return process.env;
}
