export { ScanError } from './engine/engine.ts';
export { runScan } from './run-scan.ts';
export type { RunScan, ScanLimits, ScanMemory, ScanProgress, ScanRequest, ScanResult } from './scan.ts';
