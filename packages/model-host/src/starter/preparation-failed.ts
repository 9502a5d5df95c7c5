/**
 * The error of a pack's file that cannot be created from the published files. The message is a
 * clause.
 */
export class PreparationFailed extends Error {
  override readonly name = 'PreparationFailed';
}
