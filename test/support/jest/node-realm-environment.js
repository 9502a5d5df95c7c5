import { TestEnvironment } from 'jest-environment-node';

/**
 * Jest runs each test file in a context of its own, whose typed arrays are not the ones that native
 * addons compare against: onnxruntime-node and sharp then refuse perfectly good buffers. This
 * environment hands the outer realm's binary types to the tests.
 */
export default class NodeRealmEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const outer = globalThis;
    for (const name of [
      'ArrayBuffer',
      'SharedArrayBuffer',
      'Atomics',
      'DataView',
      'Int8Array',
      'Uint8Array',
      'Uint8ClampedArray',
      'Int16Array',
      'Uint16Array',
      'Int32Array',
      'Uint32Array',
      'Float32Array',
      'Float64Array',
      'BigInt64Array',
      'BigUint64Array',
    ]) {
      this.global[name] = outer[name];
    }
  }
}
