// SPDX-License-Identifier: Apache-2.0
/** The part of the WebAssembly JavaScript interface that we use; the compiler has it only in its browser library. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum: number; shared: true });
    readonly buffer: SharedArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: { readonly [module: string]: { readonly [name: string]: unknown } });
    readonly exports: { readonly [name: string]: unknown };
  }
  /** Thrown by a trap. */
  class RuntimeError extends Error {}
}
