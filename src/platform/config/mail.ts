import { canExist } from '../outbound/address-problem.js';

export interface MailSettings {
  /** `smtps://`, or `smtp://` with STARTTLS unless on loopback. */
  readonly smtpUrl: string;
  readonly from: string;
}

const SCHEMES = ['smtp:', 'smtps:'];
// A line break would begin another header.
const FROM = /^(?:[^<>"\r\n]{1,80} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

/** Undefined where no e-mail is sent. */
export function parseMail(
  variables: Record<string, string | undefined>,
  problems: string[],
): MailSettings | undefined {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = variables;
  if (!smtpUrl && !from) return undefined;
  const url = URL.parse(smtpUrl ?? '');
  const isBare = url && ['', '/'].includes(url.pathname) && !url.search && !url.hash;
  if (!isBare || !SCHEMES.includes(url.protocol) || !canExist(url)) {
    problems.push('SMTP_URL must be a smtps:// or smtp:// address with a host, and no path');
  }
  if (!from || !FROM.test(from)) {
    problems.push('MAIL_FROM must be an e-mail address, or "Name <address>"');
  }
  return smtpUrl && from ? { smtpUrl, from } : undefined;
}
