// SPDX-License-Identifier: Apache-2.0
/** The version of this package. */
import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;
