import { IncomingMessage } from 'node:http';

/** The text that an image has in its file to kill the inference process that gets it. */
export const LETHAL = 'lethal image';

/** Preloaded by an inference process: the image kills it, as a fault of a native library does. */
const push = Reflect.get(IncomingMessage.prototype, 'push') as (...args: unknown[]) => boolean;
IncomingMessage.prototype.push = function (chunk: Buffer | null, ...rest) {
  if (chunk?.includes(LETHAL) === true) process.kill(process.pid, 'SIGKILL');
  return Reflect.apply(push, this, [chunk, ...rest]);
};
