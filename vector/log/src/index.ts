// SPDX-License-Identifier: Apache-2.0
export { MemoryLog, MemoryLogStore } from './memory-log.ts';
export { isLogUrl, isThrowawayLog, LOG_URLS, openOperationLog } from './open-operation-log.ts';
export { type Announcement, type LogEntry, LogTruncatedError, type Member, type OperationLog } from './operation-log.ts';
