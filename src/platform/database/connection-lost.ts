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

/** read_only_sql_transaction: a standby, or a server whose operator keeps it from writes. */
export const READ_ONLY = '25006';

/** What PostgreSQL says as it ends a session, with `lc_messages` at `C`: `pg` does not pass on the severity that is never translated. */
const LAST_WORDS = new Set(['FATAL', 'PANIC']);

/**
 * Whether an error says that the database is away (PostgreSQL's classes 08, 53 and 57P, a session that
 * it could not begin or go on with, or the socket's own errors) or takes no writes, so that the caller can be told to come back. The
 * connection is given up either way: the address may lead to another server by now.
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

/** Whether an answer did not come in time: the connection is given up, but others may be answered. */
export function isReadTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    /query read timeout/i.test(error.message) || isReadTimeout(error.cause ?? driverError(error))
  );
}

/** A disk that is full or broken: where a server notices it decides which of the codes it has. */
function isBrokenServer(error: Error, code: string): boolean {
  const { severity } = error as { severity?: string };
  return severity !== undefined && LAST_WORDS.has(severity) && /^(58|XX)/.test(code);
}

/** Whether an error says that the database is there and takes no writes. */
export function isReadOnly(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as { code?: unknown }).code === READ_ONLY || isReadOnly(driverError(error));
}

const TRY_AGAIN = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '55P03', // lock_not_available
  '57014', // query_canceled: the statement took too long
]);

/** Whether the same transaction may well succeed when it is tried again. */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  return (typeof code === 'string' && TRY_AGAIN.has(code)) || isWorthRetrying(driverError(error));
}

function driverError(error: Error): unknown {
  return (error as { driverError?: unknown }).driverError;
}
