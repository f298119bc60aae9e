// SPDX-License-Identifier: Apache-2.0
/** `node tools/packed/main.ts` prints the folder of the packages that tests share, and builds them where the sources have changed. */
import { packedPackages } from '../package/for-tests.ts';

console.log(await packedPackages());
