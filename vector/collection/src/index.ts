export type { Engine, EngineReads, EngineWrites, PayloadChange } from './engine.ts';
