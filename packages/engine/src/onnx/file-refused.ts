/** A file is not used; the message is the reason, a clause that follows the file's name. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}
