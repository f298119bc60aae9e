// SPDX-License-Identifier: Apache-2.0
export { type Call, callNamed } from './calls.ts';
export { Inexpressible } from './inexpressible.ts';
export { openReader, readResult, writeAnswer, writeRequest } from './mapping.ts';
export { encodedFiles, services } from './protocol.ts';
