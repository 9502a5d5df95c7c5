/** The characters that a part of an address cannot have: the service takes a path with a dot for a file. */
const RESERVED = /[~./\\]/g;

/** Writes the name of a class as one part of an address. */
export function toClassPath(name: string): string {
  return name.replace(RESERVED, (sign) => `~${sign.charCodeAt(0).toString(16)}`);
}

/** Reads the name of a class from its part of the address. */
export function fromClassPath(part: string): string {
  return part.replace(/~([0-9a-f]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
