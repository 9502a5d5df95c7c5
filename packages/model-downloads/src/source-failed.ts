/**
 * A source does not give the file. The message is a clause that follows the source's name; it holds
 * no address and no output of other programs, which may contain credentials.
 */
export class SourceFailed extends Error {
  override readonly name = 'SourceFailed';
}
