import { Logger } from 'nestjs-pino';
import { expect, it } from 'vitest';
import { warnOfMissingMail } from './create-application.js';

const MAIL = { smtpUrl: 'smtps://mail.example', from: 'alerts@rinpath.example' };

it.each([
  [['acme', 'demo'], undefined, ['alertEmails of acme, demo get no mail: SMTP_URL is not set']],
  [[], undefined, []],
  [['acme'], MAIL, []],
])('with alertEmails of %j and the mail server %j it warns: %j', async (ids, mail, lines) => {
  const warned: string[] = [];
  const logger = { warn: (line: string) => void warned.push(line) };
  const partners = { partnersWithAddresses: () => Promise.resolve(ids) };
  const get = (type: unknown) => (type === Logger ? logger : partners);
  await warnOfMissingMail({ get: get as never }, { mail });
  expect(warned).toEqual(lines);
});
