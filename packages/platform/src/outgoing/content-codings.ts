/**
 * Values that servers send although they change nothing: a character encoding, and `aws-chunked`, which describes an
 * upload and which S3 stores with the object.
 */
const WITHOUT_EFFECT = new Set(['', 'identity', 'utf-8', 'utf8', 'aws-chunked']);

/** The codings of a `Content-Encoding` header that have to be undone, in lower case. */
export function contentCodings(header: string | readonly string[] | undefined): readonly string[] {
  return [header ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => !WITHOUT_EFFECT.has(coding));
}
