export type { RunScan, ScanLimits, ScanMemory, ScanProgress, ScanRequest, ScanResult } from './scan.ts';
