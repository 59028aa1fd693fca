import type { INestApplicationContext } from '@nestjs/common';
import { Logger } from 'nestjs-pino';
import { PartnerAlertEmails } from './auth/index.js';
import type { Environment } from './platform/index.js';

/** Only the service knows whether it has a mail server. */
export async function warnOfMissingMail(
  app: Pick<INestApplicationContext, 'get'>,
  { mail }: Pick<Environment, 'mail'>,
): Promise<void> {
  if (mail) return;
  const ids = await app.get(PartnerAlertEmails).partnersWithAddresses();
  if (ids.length === 0) return;
  app
    .get(Logger)
    .warn(`alertEmails of ${ids.join(', ')} get nothing: SMTP_URL is not set`, 'Configuration');
}
