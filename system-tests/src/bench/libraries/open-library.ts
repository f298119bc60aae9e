// SPDX-License-Identifier: Apache-2.0
import { openHnswlib } from './hnswlib.ts';
import { openKernel } from './kernel.ts';
import {
  KERNEL,
  KERNEL_OF_BYTES,
  KERNEL_OF_HALVES,
  KERNEL_ON_DISK,
  type Library,
  type LibraryName,
  type LibraryOptions,
} from './library.ts';
import { openUsearch } from './usearch.ts';
import { openZvec } from './zvec.ts';

/** Throws where a library is not installed here. */
export function openLibrary(name: LibraryName, options: LibraryOptions): Library {
  switch (name) {
    case KERNEL:
    case KERNEL_OF_HALVES:
    case KERNEL_OF_BYTES:
    case KERNEL_ON_DISK:
      return openKernel(name, options);
    case 'usearch f32':
      return openUsearch('f32', options);
    case 'usearch bf16':
      return openUsearch('bf16', options);
    case 'usearch i8':
      return openUsearch('i8', options);
    case 'hnswlib-node':
      return openHnswlib(options);
    case 'zvec f32':
      return openZvec('f32', options);
    case 'zvec int8':
      return openZvec('int8', options);
  }
}
