/**
 * A source failed to provide the file. The message is a clause that follows the source's name. It
 * contains no addresses and no output of other programs, because those may contain credentials.
 */
export class SourceFailed extends Error {
  override readonly name = 'SourceFailed';
}
