/** An ONNX file is not loaded; the message is the reason, a clause that follows the file's name. */
export class OnnxRefused extends Error {
  override readonly name = 'OnnxRefused';
}
