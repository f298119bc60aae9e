// SPDX-License-Identifier: Apache-2.0
export { type AuditEntry, AuditLog } from './audit-log.ts';
export { auditLogFile, logLevel, trustedProxies } from './common-settings.ts';
export {
  type Configuration,
  type ConfigurationOutcome,
  type ConfigurationTable,
  type Environment,
  type FileSettings,
  type ReadyConfiguration,
  readConfiguration,
  type SettingRow,
  settingRows,
} from './configuration.ts';
export { openConfigurationFile } from './configuration-file/configuration-file.ts';
export { SHOW_SETTINGS_FLAG, type ShownSetting } from './configuration-file/shown-settings.ts';
export {
  CONNECTION_RETRY_SECONDS,
  ConnectionCap,
  type ConnectionFigures,
  capHttpConnections,
  peerOf,
  REFUSED_CONNECTIONS_KEPT,
} from './connection-cap.ts';
export { DataDirectoryInUseError, DataDirectoryUnusableError, lockDataDirectory, ownDataDirectory } from './data-directory.ts';
export { type DescriptorLimit, descriptorLimit, openDescriptors } from './descriptors.ts';
export { type DiskFigures, DiskRoom, isDescriptorError, isDiskFullError, isIoError } from './disk-room.ts';
export { onLauncherEnd, outliveOutput } from './launched.ts';
export { listenFailure } from './listen-failure.ts';
export { createLog, type Log, type LogLevel } from './log.ts';
export { LOGIN_WINDOW_MS, type LoginAttempt, LoginLimiter, loginCosts } from './login-limiter.ts';
export { MALLOC_SETTINGS } from './malloc-settings.ts';
export { createOutboundGuard, type OutboundGuard, type OutboundOptions, OutboundRefusedError } from './outbound-guard.ts';
export {
  type OutboundReply,
  type OutboundRequest,
  OutboundRequestError,
  type OutboundStream,
  receiveOutbound,
  sendOutbound,
} from './outbound-request.ts';
export { hashPassword, isPassword, type PasswordCost, type PasswordRecord, passwordProblem } from './password.ts';
export { type Periodic, periodic } from './periodic.ts';
export { releaseBytes } from './release-bytes.ts';
export { addedUp, type RequestStatistic } from './request-statistics.ts';
export { generateSecret, hashSecret } from './secret.ts';
export { openSecretFile, replaceSecretFile } from './secret-file.ts';
export { refuse, runProgram, tell } from './service-program.ts';
export {
  choice,
  choices,
  configurationFile,
  hosts,
  integer,
  names,
  origins,
  type Setting,
  text,
  toggle,
  url,
} from './setting.ts';
export { Pending, shutdownSeconds } from './shutdown.ts';
export { type MetricSource, missingTelemetry, openTelemetry, type Telemetry } from './telemetry/open-telemetry.ts';
export { telemetryProblems, telemetrySettings } from './telemetry/telemetry-settings.ts';
export { TlsFileError, type TlsFiles, tlsFilesOf, tlsProblems, tlsSettings } from './tls/tls-files.ts';
export { openServerTls, type ServerTls } from './tls/tls-reload.ts';
export { type ClientAddress, createClientAddress } from './web-access/client-address.ts';
export { hostNameOf } from './web-access/host-names.ts';
export { isLoopback } from './web-access/loopback.ts';
export { type Sender, senderOf } from './web-access/sender.ts';
