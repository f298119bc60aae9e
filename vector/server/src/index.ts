export { type VectorConfiguration, vectorSettings } from './configuration.ts';
