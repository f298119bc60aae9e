// SPDX-License-Identifier: Apache-2.0
export { readVectorConfiguration, type VectorConfiguration, vectorSettings } from './configuration.ts';
