export { type ObservabilityConfiguration, observabilitySettings, readObservabilityConfiguration } from './configuration.ts';
