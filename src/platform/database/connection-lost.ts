import { messageOf } from '../errors/fault.js';

const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|not queryable|query read timeout/i;

/** read_only_sql_transaction */
export const READ_ONLY = '25006';

/** Requires `lc_messages` `C`: `pg` provides only the translated severity. */
const FATAL_SEVERITIES = new Set(['FATAL', 'PANIC']);

/**
 * Classes 08, 53 and 57P, socket errors, read-only servers. Close the connection: its address may
 * now lead to another server.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') {
    if (SOCKET_ERRORS.has(code) || /^(08|53|57P)/.test(code) || code === READ_ONLY) return true;
    if (isBrokenServer(error, code)) return true;
  }
  if (error instanceof AggregateError && error.errors.some(isConnectionLost)) return true;
  return MESSAGES.test(error.message) || isConnectionLost(error.cause ?? driverError(error));
}

export function isReadTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    /query read timeout/i.test(error.message) || isReadTimeout(error.cause ?? driverError(error))
  );
}

/** Full or broken disk. The code depends on where the server notices it. */
function isBrokenServer(error: Error, code: string): boolean {
  const { severity } = error as { severity?: string };
  return severity !== undefined && FATAL_SEVERITIES.has(severity) && /^(58|XX)/.test(code);
}

export function isReadOnly(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as { code?: unknown }).code === READ_ONLY || isReadOnly(driverError(error));
}

const TRY_AGAIN = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
  '57014', // query_canceled: statement timeout
]);

export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  return (typeof code === 'string' && TRY_AGAIN.has(code)) || isWorthRetrying(driverError(error));
}

function driverError(error: Error): unknown {
  return (error as { driverError?: unknown }).driverError;
}

/** Class 28 (wrong role, password or pg_hba.conf rule) and unknown database. */
const ACCESS_REFUSED = /^(28|3D)/;
const TLS =
  /^(ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(VERIFY|GET_ISSUER))|does not support SSL/;

/** What the operator must change; null for other errors. */
export function databaseProblem(error: unknown): string | null {
  const { code } = (error ?? {}) as { code?: unknown };
  const message = messageOf(error);
  const isTls = (typeof code === 'string' && TLS.test(code)) || TLS.test(message);
  if (isTls) {
    return (
      `The database cannot be reached over TLS: ${message}. Check sslmode in DATABASE_URL, and name the file of ` +
      'a private authority in NODE_EXTRA_CA_CERTS.'
    );
  }
  if (typeof code !== 'string' || !ACCESS_REFUSED.test(code)) return null;
  const overTls = message.endsWith('no encryption') ? ' with ?sslmode=verify-full' : '';
  return `The database refuses this process: ${message}. Check DATABASE_URL${overTls}.`;
}
