// SPDX-License-Identifier: Apache-2.0
export { type ObservabilityConfiguration, observabilitySettings, readObservabilityConfiguration } from './configuration.ts';
