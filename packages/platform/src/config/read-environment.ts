/** The environment of the process: the one place that looks at it. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
