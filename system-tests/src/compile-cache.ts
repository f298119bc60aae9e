// SPDX-License-Identifier: Apache-2.0
/** For programs that run without the environment of the tests: to load the SDK from source takes twice as long without what Node.js keeps of compiled modules. */
export const COMPILE_CACHE: { readonly NODE_COMPILE_CACHE?: string } =
  process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
