export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process. All code outside this folder uses this function instead of `process.env`. */
export function readEnvironment(): Environment {
  return process.env;
}
