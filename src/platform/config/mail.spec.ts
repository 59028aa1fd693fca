import { describe, expect, it } from 'vitest';
import { parseMail } from './mail.js';

const SMTP_URL = 'smtps://user:secret@mail.example:465';
const MAIL_FROM = 'Loan alerts <alerts@rinpath.example>';

function problemsOf(variables: Record<string, string>): string[] {
  const problems: string[] = [];
  parseMail(variables, problems);
  return problems;
}

describe('the mail server', () => {
  it('is an address and whom e-mails are from', () => {
    expect(parseMail({ SMTP_URL, MAIL_FROM }, [])).toEqual({ smtpUrl: SMTP_URL, from: MAIL_FROM });
    expect(problemsOf({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@b.example' })).toEqual([]);
  });

  it('may be left out', () => {
    expect(parseMail({}, [])).toBeUndefined();
    expect(problemsOf({ SMTP_URL: '', MAIL_FROM: '' })).toEqual([]);
  });

  it.each([
    'https://mail.example',
    'smtps://mail.example/box',
    'smtps://mail.example?secure=no',
    'smtps://',
    'mail.example',
    '',
  ])('is not %s', (text) => {
    expect(problemsOf({ SMTP_URL: text, MAIL_FROM })).toEqual([
      'SMTP_URL must be a smtps:// or smtp:// address with a host, and no path',
    ]);
  });

  it.each(['Rinpath', '', 'a@b.example\r\nBcc: c@d.example', 'A <a@b.example>, B <c@d.example>'])(
    'does not send from %j',
    (text) => {
      expect(problemsOf({ SMTP_URL, MAIL_FROM: text })).toEqual([
        'MAIL_FROM must be an e-mail address, or "Name <address>"',
      ]);
    },
  );
});
