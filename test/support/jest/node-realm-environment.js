import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** Binary types whose instances are passed to native addons and Node's own modules, which compare constructors. */
const BINARY_TYPES = [
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
];

/**
 * Jest gives each test file a context of its own. This environment uses a context in which reading a global
 * is as cheap as in any program; in Jest's, which intercepts each read, a loop over `Math.max` takes 60 times
 * as long. Its binary types are the outer realm's, because onnxruntime-node and sharp refuse others.
 */
export default class NodeRealmEnvironment extends TestEnvironment {
  constructor(config, context) {
    const { createContext } = vm;
    // The base class offers no other way to build its globals on another kind of context.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    for (const name of BINARY_TYPES) this.global[name] = globalThis[name];
  }
}
