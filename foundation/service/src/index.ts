export {
  type Configuration,
  type ConfigurationOutcome,
  type ConfigurationTable,
  readConfiguration,
  type SettingRow,
  settingRows,
} from './configuration.ts';
export { DataDirectoryInUseError, lockDataDirectory } from './data-directory.ts';
export { type DocsPage, docsPage } from './docs-page.ts';
export { createLog, LOG_LEVELS, type Log, type LogLevel } from './log.ts';
export { LoginLimiter } from './login-limiter.ts';
export {
  type CollectionFigures,
  createResponseMetrics,
  type MetricsSnapshot,
  type ResponseMetrics,
  renderMetrics,
} from './metrics.ts';
export { hashPassword, isPassword, type PasswordRecord, passwordProblem } from './password.ts';
export { generateSecret, hashSecret } from './secret.ts';
export { openSecretFile } from './secret-file.ts';
export { choice, integer, type Setting, text, toggle } from './setting.ts';
export { drainOnSignals } from './shutdown.ts';
