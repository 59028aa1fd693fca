import { messageOf } from '../errors/fault.js';

/** A wrong role, password or pg_hba.conf rule (class 28), and an unknown database. */
const NOT_LET_IN = /^(28|3D)/;
const TLS =
  /^(ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(VERIFY|GET_ISSUER))|does not support SSL/;

/** What an operator must change when the server refuses this process; null for every other error. */
export function databaseProblem(error: unknown): string | null {
  const { code } = (error ?? {}) as { code?: unknown };
  const message = messageOf(error);
  const isTls = (typeof code === 'string' && TLS.test(code)) || TLS.test(message);
  if (isTls) {
    return (
      `The database is not reached over TLS: ${message}. Check sslmode in DATABASE_URL, and name the file of ` +
      'a private authority in NODE_EXTRA_CA_CERTS.'
    );
  }
  if (typeof code !== 'string' || !NOT_LET_IN.test(code)) return null;
  const overTls = message.endsWith('no encryption') ? ' with ?sslmode=verify-full' : '';
  return `The database does not let this process in: ${message}. Check DATABASE_URL${overTls}.`;
}
