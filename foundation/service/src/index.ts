export {
  type Configuration,
  type ConfigurationOutcome,
  type ConfigurationTable,
  readConfiguration,
  type SettingRow,
  settingRows,
} from './configuration.ts';
export { openToAllOrigins } from './cors.ts';
export { DataDirectoryInUseError, lockDataDirectory } from './data-directory.ts';
export { type DocsPage, docsPage } from './docs-page.ts';
export { createLog, LOG_LEVELS, type Log, type LogLevel } from './log.ts';
export { LoginLimiter } from './login-limiter.ts';
export {
  type CollectionFigures,
  createResponseMetrics,
  type Figure,
  type MetricsSnapshot,
  type ResponseMetrics,
  renderMetrics,
} from './metrics.ts';
export { createOutboundGuard, type OutboundGuard, type OutboundOptions, OutboundRefusedError } from './outbound-guard.ts';
export { type OutboundReply, type OutboundRequest, OutboundRequestError, sendOutbound } from './outbound-request.ts';
export { hashPassword, isPassword, type PasswordRecord, passwordProblem } from './password.ts';
export { releaseBytes, takeBodiesRaw } from './raw-bodies.ts';
export { generateSecret, hashSecret } from './secret.ts';
export { openSecretFile } from './secret-file.ts';
export { choice, choices, integer, type Setting, text, toggle } from './setting.ts';
export { drainOnSignals } from './shutdown.ts';
export { refuseUnreadable } from './unreadable-request.ts';
