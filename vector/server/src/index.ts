export { readVectorConfiguration, type VectorConfiguration, vectorSettings } from './configuration.ts';
