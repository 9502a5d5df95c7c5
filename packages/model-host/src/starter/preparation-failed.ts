/** A file of a pack cannot be created from the published files; the message is a clause. */
export class PreparationFailed extends Error {
  override readonly name = 'PreparationFailed';
}
