/** A file of a pack cannot be made of the published ones; the message is a clause. */
export class PreparationFailed extends Error {
  override readonly name = 'PreparationFailed';
}
