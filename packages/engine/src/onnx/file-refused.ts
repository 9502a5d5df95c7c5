/**
 * The error of a file that cannot be used. The message is a clause that follows the file's name.
 */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}
