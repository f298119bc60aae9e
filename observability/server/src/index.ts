export { type ObservabilityConfiguration, observabilitySettings } from './configuration.ts';
