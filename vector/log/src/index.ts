export { MemoryLog, MemoryLogStore } from './memory-log.ts';
export { type Announcement, type LogEntry, LogTruncatedError, type Member, type OperationLog } from './operation-log.ts';
export { openPostgresLog } from './postgres-log.ts';
